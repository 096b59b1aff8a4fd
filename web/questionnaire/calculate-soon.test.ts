import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpenForm } from '#contract/forms/filling.ts';
import type { Answers } from '#questionnaire/values.ts';
import { expression, questionnaire } from '#questionnaire/test-builders.ts';
import { calculateSoon } from './calculate-soon.ts';
import { createFormStore, idleForm } from './form-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const scoredForm = questionnaire('scored', 'Scored', [
  { linkId: 'typed', type: 'integer' },
  { linkId: 'score', type: 'integer', extension: [expression('calculatedExpression', '1')] },
]);

/** A form whose calculations end by hand: each copies the typed answer. */
function openedForm() {
  const store = createFormStore();
  store.setState({
    ...idleForm,
    form: {} as OpenForm,
    questionnaire: scoredForm,
    answers: {},
    setting: {},
    copiedFrom: null,
    prefilled: {},
    isAmending: false,
    isDone: false,
  });
  const running: (() => void)[] = [];
  const calculate = (answers: Answers) =>
    new Promise<{ answers: Answers }>((resolve) => {
      running.push(() => resolve({ answers: { ...answers, score: answers.typed ?? [] } }));
    });
  const onResult = vi.fn<() => void>();
  const soon = calculateSoon(store, calculate, onResult);
  const type = (typed: number) => soon.change({ ...store.form()?.answers, typed: [typed] });
  const shown = () => store.form()?.answers;
  return { soon, running, type, shown, onResult };
}

test('an answer is shown at once and its calculation starts after a pause', async () => {
  const { running, type, shown, onResult } = openedForm();
  type(1);
  await vi.advanceTimersByTimeAsync(140);
  type(12);
  await vi.advanceTimersByTimeAsync(140);
  expect(shown()).toEqual({ typed: [12] });
  expect(running).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(10);
  expect(running).toHaveLength(1);
  running[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual({ typed: [12], score: [12] });
  expect(onResult).toHaveBeenCalledOnce();
});

test('a result of older answers is not shown, and the newer answers are calculated after it', async () => {
  const { soon, running, type, shown, onResult } = openedForm();
  type(1);
  await vi.advanceTimersByTimeAsync(150);
  type(2);
  const settled = vi.fn<() => void>();
  void soon.settle()?.then(settled);
  running[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual({ typed: [2] });
  expect(settled).not.toHaveBeenCalled();
  running[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual({ typed: [2], score: [2] });
  expect(settled).toHaveBeenCalledOnce();
  expect(onResult).toHaveBeenCalledOnce();
  expect(soon.settle()).toBeNull();
});
