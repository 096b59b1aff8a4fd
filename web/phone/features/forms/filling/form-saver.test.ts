import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpenForm } from '#contract/forms/filling.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { createFormStore, idleForm } from '#web/questionnaire/form-store.ts';
import { createSaver } from './form-saver.ts';
import { noteLastSave, readAfterLastSave } from './last-save.ts';
import type { SessionContext } from './session-context.ts';

let page: EventTarget;
let stored: Map<string, string>;
beforeEach(() => {
  page = new EventTarget();
  stored = new Map();
  vi.stubGlobal('window', page);
  vi.stubGlobal('location', { pathname: '/visit/abc/forms/insurance' });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const formAt = (version: number) => ({ definitionId: 'd', version, page: 0, state: 'draft' }) as unknown as OpenForm;

/** An open form whose saves are answered by hand. */
function openedForm() {
  const sent: { version: number; words: unknown; answer: () => void }[] = [];
  const store = createFormStore();
  const context = {
    calls: {
      save: (step: { version: number; answers: Record<string, unknown[]> }) =>
        new Promise((resolve) => {
          const { version, answers } = step;
          sent.push({ version, words: answers.words?.[0], answer: () => resolve({ version: version + 1 }) });
        }),
    },
    signal: new AbortController().signal,
    store,
    saved: { version: 4, page: 0, answers: {} },
    sending: null,
    page: 0,
  } as unknown as SessionContext;
  const type = (words: string) => store.update({ answers: { words: [words] } });
  store.setState({
    ...idleForm,
    form: formAt(4),
    questionnaire: {} as Questionnaire,
    answers: {},
    setting: { today: '2026-03-02' },
    copiedFrom: null,
    prefilled: {},
    isAmending: false,
    isDone: false,
  });
  const left = () => page.dispatchEvent(new Event('pagehide'));
  const shown = () => sent.map(({ version, words }) => `${version} ${String(words)}`);
  return { saver: createSaver(context), sent, shown, type, left };
}

test('a page that goes away sends what was typed while a save was on its way, behind it', () => {
  const { saver, shown, type, left } = openedForm();
  type('Blue');
  void saver.save();
  type('Blue Cross');
  left();
  expect(shown()).toEqual(['4 Blue', '5 Blue Cross']);
  expect([...stored.values()].join().split(' ')[1]).toBe('6');
  // Only numbers stay behind.
  expect([...stored.values()].join()).toMatch(/^\d+ 6 \d+$/);
});

test('the saver sends nothing twice, and nothing if everything is saved', async () => {
  const { saver, sent, shown, type, left } = openedForm();
  left();
  expect(shown()).toEqual([]);
  expect(stored.size).toBe(0);
  await saver.save();
  type('Blue');
  const saved = saver.save();
  left();
  expect(shown()).toEqual(['4 Blue']);
  sent[0]?.answer();
  await saved;
  left();
  expect(shown()).toEqual(['4 Blue']);
});

test('the form is read again until the server has what the page before sent', async () => {
  const versions = [4, 5, 6, 7];
  const read = () => Promise.resolve(formAt(versions.shift() ?? 0));
  noteLastSave(6);
  expect((await readAfterLastSave(read)).version).toBe(6);
  // Once: the next form of this tab is not held up.
  expect((await readAfterLastSave(read)).version).toBe(7);
  expect((await readAfterLastSave(() => Promise.resolve(formAt(0)))).version).toBe(0);
  noteLastSave(6);
  vi.stubGlobal('location', { pathname: '/visit/abc/forms/consent' });
  expect((await readAfterLastSave(() => Promise.resolve(formAt(0)))).version).toBe(0);
});
