import { setupI18n, type Messages } from '@lingui/core';
import { expect, test } from 'vitest';
import { i18n, catalogFrom, type MessagePart } from './small-lingui.tsx';

const catalogs = import.meta.glob<{ messages: Messages }>(
  ['/web/phone/**/locales/*.po', '/web/questionnaire/**/locales/*.po'],
  { eager: true },
);

/** The names of the values in a message. */
const namesIn = (parts: MessagePart[]): string[] =>
  parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    const [name, , forms = {}] = part;
    return [name, ...Object.values(forms).flatMap(namesIn)];
  });

test.each(Object.keys(catalogs))('the phone writes each message as Lingui does: %s', (path) => {
  const language = path.endsWith('es.po') ? 'es' : 'en';
  const { messages } = catalogs[path]!;
  const lingui = setupI18n({ locale: language, messages: { [language]: messages } });
  const ids = Object.keys(messages);
  const texts = ids.map((id) => messages[id] as unknown as MessagePart[]);
  i18n.loadAndActivate({ locale: language, messages: catalogFrom(7, texts) });
  expect(ids.length).toBeGreaterThan(0);
  for (const [i, id] of ids.entries())
    for (const value of [0, 1, 2, 1234, 1_000_000]) {
      const values = Object.fromEntries(namesIn(texts[i]!).map((name) => [name, value]));
      expect(i18n._(i + 7, values)).toBe(lingui._(id, values));
    }
});

test('what has no value is left out', () => {
  i18n.loadAndActivate({ locale: 'en', messages: catalogFrom(0, [['a', ['missing'], 'b', ['given']]]) });
  expect(i18n._(0, { given: 'c' })).toBe('abc');
});

test('messages that were asked for in a language that is no longer on screen do not replace others', () => {
  i18n.loadAndActivate({ locale: 'en', messages: catalogFrom(0, [['Hello']]) });
  i18n.load('es', catalogFrom(0, [['Hola']]));
  expect(i18n._(0)).toBe('Hello');
  i18n.load('en', catalogFrom(1, [['Good-bye']]));
  expect([i18n._(0), i18n._(1)]).toEqual(['Hello', 'Good-bye']);
});
