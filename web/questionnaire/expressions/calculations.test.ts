import { afterEach, expect, test, vi } from 'vitest';
import type { Answers } from '#questionnaire/values.ts';
import { expression, questionnaire } from '#questionnaire/test-builders.ts';
import { openCalculations } from './calculations.ts';
import { loadFormCalculations, type FormCalculations } from './form-calculations.ts';
import { calculateInWorker, whenReady } from './worker-calculations.ts';
import { settledReply, type WorkerReply, type WorkerRequest } from './worker-messages.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const doubled = "%resource.item.where(linkId='typed').answer.value * 2";
const form = {
  questionnaire: questionnaire('doubled', 'Doubled', [
    { linkId: 'typed', type: 'integer', text: 'A number' },
    {
      linkId: 'double',
      type: 'integer',
      text: 'Twice',
      readOnly: true,
      extension: [expression('calculatedExpression', doubled)],
    },
    { linkId: 'more', type: 'string', text: 'More', extension: [expression('enableWhenExpression', `${doubled} > 4`)] },
    {
      linkId: 'choice',
      type: 'choice',
      text: 'Which',
      extension: [expression('answerExpression', `'a'.combine(iif(${doubled} > 4, 'b', {}))`)],
    },
  ]),
  today: '2026-03-02',
  launch: undefined,
};
const openHere = await loadFormCalculations();

/** A worker in this process. One that hangs replies to nothing but that it is ready. */
class LocalWorker extends EventTarget {
  isTerminated = false;
  requests: WorkerRequest['kind'][] = [];
  private calculations: FormCalculations | undefined;
  private readonly hangs: boolean;

  constructor(hangs: boolean) {
    super();
    this.hangs = hangs;
    queueMicrotask(() => this.reply({ kind: 'ready' }));
  }

  postMessage(message: WorkerRequest): void {
    const request = structuredClone(message);
    this.requests.push(request.kind);
    if (request.kind === 'open') this.calculations = openHere(request.form);
    else if (!this.hangs && this.calculations)
      this.reply(
        request.kind === 'begin'
          ? { kind: 'began', ...this.calculations.begin(request.answers) }
          : settledReply(request.answers, this.calculations.settle(request.answers)),
      );
  }

  terminate(): void {
    this.isTerminated = true;
  }

  private reply(data: WorkerReply): void {
    this.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  }
}

/** Starts workers of which the first ones hang. */
function workers(hanging: number) {
  const started: LocalWorker[] = [];
  const start = () => {
    const worker = new LocalWorker(started.length < hanging);
    started.push(worker);
    return whenReady(worker as unknown as Worker);
  };
  return { started, start };
}

test('a worker gives what the page would calculate itself, and keeps the objects that did not change', async () => {
  const { start } = workers(0);
  const inWorker = await calculateInWorker(form, start);
  const here = await openCalculations(form);
  const typed = [3];
  let before;
  const changes: Answers[] = [{}, { typed }, { typed, more: ['x'] }, { typed: [1] }];
  for (const answers of changes) {
    const result = await inWorker.settle(answers);
    expect(result).toEqual(await here.settle(answers));
    if (before && answers['typed'] === typed) {
      expect(result.answers['typed']).toBe(typed);
      expect(result.setting.offered?.get('choice')).toBe(before.setting.offered?.get('choice'));
    }
    before = answers['typed'] === typed ? result : undefined;
  }
});

test('a calculation that takes too long ends its worker, and the next change gets a new one', async () => {
  vi.useFakeTimers();
  const { started, start } = workers(1);
  const calculations = await calculateInWorker(form, start);
  const late = calculations.settle({ typed: [3] });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(started[0]?.isTerminated).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toEqual({
    answers: { typed: [3] },
    setting: { today: '2026-03-02', launch: undefined },
    isUncalculated: true,
  });
  expect(started[0]?.isTerminated).toBe(true);
  expect(await calculations.settle({ typed: [4] })).toMatchObject({ answers: { double: [8] }, isUncalculated: false });
});

test('after two deadlines in a row nothing waits for a calculation any more', async () => {
  vi.useFakeTimers();
  const { started, start } = workers(2);
  const calculations = await calculateInWorker(form, start);
  for (let nth = 0; nth < 2; nth++) {
    const late = calculations.settle({ typed: [nth] });
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await late).isUncalculated).toBe(true);
  }
  expect(await calculations.settle({ typed: [5] })).toMatchObject({ answers: { typed: [5] }, isUncalculated: true });
  expect(started).toHaveLength(2);
});

test('a second change waits for the first one and then has the whole deadline', async () => {
  vi.useFakeTimers();
  const { started, start } = workers(1);
  const calculations = await calculateInWorker(form, start);
  const first = calculations.settle({ typed: [1] });
  await vi.advanceTimersByTimeAsync(4_000);
  const second = calculations.settle({ typed: [2] });
  expect(started[0]?.requests).toEqual(['open', 'settle']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await first).isUncalculated).toBe(true);
  expect(await second).toMatchObject({ answers: { double: [4] }, isUncalculated: false });
});

test('a worker that does not load leaves the calculations to the page', async () => {
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor() {
        super();
        queueMicrotask(() => this.dispatchEvent(new Event('error')));
      }
    },
  );
  const calculations = await openCalculations(form);
  expect(await calculations.settle({ typed: [3] })).toMatchObject({ answers: { double: [6] }, isUncalculated: false });
});

test('a form that is closed ends its worker', async () => {
  const { started, start } = workers(0);
  const calculations = await calculateInWorker(form, start);
  calculations.stop();
  expect(started[0]?.isTerminated).toBe(true);
  expect((await calculations.settle({ typed: [3] })).answers).toEqual({ typed: [3] });
});
