import { i18n } from '@lingui/core';
import { afterEach, expect, test, vi } from 'vitest';
import { addMessages, setLanguage, startMessages } from './i18n.ts';

afterEach(() => vi.unstubAllGlobals());

const catalog = (of: string) => ({ messages: { [of]: of } });
const both = (of: string) => ({ en: () => catalog(`${of} en`), es: () => catalog(`${of} es`) });
const slow = () => {
  let come = () => {};
  const waiting = new Promise<void>((resolve) => (come = resolve));
  return { come, waiting };
};
const known = () => Object.keys(i18n.messages).sort();

test.each(['the room first', 'the language first'])(
  'changing the language while messages load works in either order: %s',
  async (first) => {
    vi.stubGlobal('document', { documentElement: { lang: '' } });
    await startMessages(both('page'), 'en');
    const [room, language] = [slow(), slow()];
    const later = {
      en: () => room.waiting.then(() => catalog('room en')),
      es: () => language.waiting.then(() => catalog('room es')),
    };
    const [added, chosen] =
      first === 'the room first'
        ? [addMessages(later), setLanguage('es')]
        : [setLanguage('es'), addMessages(later)].reverse();
    room.come();
    await new Promise((resolve) => setTimeout(resolve));
    language.come();
    await Promise.all([added, chosen]);
    expect(i18n.locale).toBe('es');
    expect(known()).toEqual(expect.arrayContaining(['page es', 'room es']));
  },
);

test('messages that failed to load are not requested again with the next language', async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startMessages(both('page'), 'en');
  const away = () => Promise.reject(new Error('no network'));
  await expect(addMessages({ en: away, es: away })).rejects.toThrow('no network');
  await setLanguage('es');
  expect(i18n.locale).toBe('es');
});
