import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { ChatSettings, chatSettingsDefault } from '#contract/practice/chat-settings.ts';
import { isChanged, problemsOf, toDraft, toSettings, type Draft } from './chat-settings-draft.ts';

const saved: ChatSettings = {
  chatEnabled: true,
  origins: ['https://maple.example'],
  color: '#0f5f8c',
  greeting: { en: 'Hi!', es: '¡Hola!' },
  hours: [{ open: '08:00', close: '24:00' }, null, null, null, null, null, null],
};
const draft = (change: Partial<Draft> = {}): Draft => ({ ...toDraft(saved), ...change });

test.each([saved, { ...chatSettingsDefault, chatEnabled: false }])(
  'saved settings turned into a draft and back are the same and count as unchanged',
  (settings) => {
    expect(toSettings(toDraft(settings))).toEqual(settings);
    expect(problemsOf(toDraft(settings))).toEqual({});
    expect(isChanged(toDraft(settings), settings)).toBe(false);
  },
);

test('an address that was typed and not added is saved with the others', () => {
  const typed = draft({ newOrigin: 'www.maple.example/contact' });
  expect(isChanged(typed, saved)).toBe(true);
  expect(toSettings(typed).origins).toEqual(['https://maple.example', 'https://www.maple.example']);
});

test('a color may be typed in short, in capitals and without its sign', () => {
  expect(toSettings(draft({ color: ' 0F5F8C ' })).color).toBe('#0f5f8c');
  expect(toSettings(draft({ color: '#abc' })).color).toBe('#aabbcc');
});

test.each([
  [{ newOrigin: 'maple' }, { newOrigin: 'address' }],
  [{ newOrigin: 'MAPLE.example' }, { newOrigin: 'listed' }],
  [
    { newOrigin: 'new.example', origins: Array.from({ length: 20 }, (_, n) => `https://w${n}.example`) },
    { newOrigin: 'many' },
  ],
  [{ color: 'red' }, { color: 'color' }],
  [{ greeting: { en: 'x'.repeat(301), es: '' } }, { 'greeting.en': 'long' }],
  [{ days: [{ open: true, from: '17:00', to: '08:00', pause: null }] }, { 'days.0.to': 'order' }],
  [{ days: [{ open: true, from: '17:00', to: '08:00', pause: null }], ownHours: false }, {}],
])('the draft %j has the problems %j', (change, problems) => expect(problemsOf(draft(change))).toEqual(problems));

test('the server accepts every draft without problems', () => {
  for (const change of [{}, { newOrigin: 'ärzte.example' }, { color: '#FFF' }, { ownHours: false }, { origins: [] }])
    expect(z.safeParse(ChatSettings, toSettings(draft(change))).success).toBe(true);
});
