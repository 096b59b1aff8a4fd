import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { formOf } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import type { CalculatedForm, Calculations } from './calculated-form.ts';
import type { SettledReply, WorkerReply, WorkerRequest } from './worker-messages.ts';

/** How long one calculation may take, as on the server. */
const deadlineMs = 5_000;
/** After so many deadlines in a row the form is not calculated on this phone any more: each one costs the patient a wait and the battery. */
const mostFailures = 2;

/** Waits until a new worker has loaded the engine; rejects if it cannot be loaded. */
export function whenReady(worker: Worker): Promise<Worker> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', () => reject(new Error('The worker did not load.')), { once: true });
  });
}

/** Calculates a form in a worker. Rejects if there is none; afterwards a calculation that fails says so and never rejects. */
export async function calculateInWorker(
  form: CalculatedForm,
  startWorker: () => Promise<Worker>,
): Promise<Calculations> {
  const unpack = unpackReplies(form);
  const open = async () => {
    const started = await startWorker();
    send(started, { kind: 'open', form });
    return started;
  };
  let worker: Worker | null = await open();
  let turn: Promise<unknown> = Promise.resolve();
  let failures = 0;
  let isStopped = false;
  let setting: EvaluationContext = { today: form.today, launch: form.launch };

  /** Null if there is no result in time: that worker is ended, and the next request starts another. */
  async function replyTo(request: WorkerRequest): Promise<WorkerReply | null> {
    if (isStopped || failures >= mostFailures) return null;
    worker ??= await open().catch(() => null);
    if (isStopped) worker?.terminate();
    const reply = worker && (await replyInTime(worker, request));
    failures = reply ? 0 : failures + 1;
    if (reply) return reply;
    worker?.terminate();
    worker = null;
    return null;
  }

  /** One request at a time, so that each has the whole deadline and a reply belongs to the last request. */
  function inTurn(request: WorkerRequest): Promise<WorkerReply | null> {
    const reply = turn.then(() => replyTo(request));
    turn = reply;
    return reply;
  }

  return {
    async begin(answers) {
      const reply = await inTurn({ kind: 'begin', answers });
      return reply?.kind === 'began' ? reply : { answers, prefilled: {} };
    },
    async settle(answers) {
      const reply = await inTurn({ kind: 'settle', answers });
      if (reply?.kind !== 'settled') return { answers, setting, isUncalculated: true };
      const settled = unpack(answers, reply);
      ({ setting } = settled);
      return { ...settled, isUncalculated: false };
    },
    stop() {
      isStopped = true;
      worker?.terminate();
    },
  };
}

const send = (worker: Worker, request: WorkerRequest) => worker.postMessage(request);

function replyInTime(worker: Worker, request: WorkerRequest): Promise<WorkerReply | null> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const { signal } = over;
    const end = (reply: WorkerReply | null) => {
      clearTimeout(timer);
      over.abort();
      resolve(reply);
    };
    const timer = setTimeout(() => end(null), deadlineMs);
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => end(data), { signal });
    worker.addEventListener('error', () => end(null), { signal });
    send(worker, request);
  });
}

/** Reads replies. Unchanged values stay the same objects, so that the screen can skip them. */
function unpackReplies({ questionnaire, today, launch }: CalculatedForm) {
  const { byLinkId } = formOf(questionnaire);
  let offeredBefore: ReadonlyMap<string, FormItem> = new Map();

  function unpackOffered(offered: SettledReply['offered']): ReadonlyMap<string, FormItem> {
    const items = new Map<string, FormItem>();
    for (const [key, { linkId, options, takesOther }] of offered) {
      const before = offeredBefore.get(key);
      const item = byLinkId.get(linkId);
      const isSame = before && JSON.stringify(before.options) === JSON.stringify(options);
      if (item) items.set(key, isSame ? before : { ...item, options, takesOther });
    }
    offeredBefore = items;
    return items;
  }

  return (given: Answers, { changes, decided, broken, uncalculated, offered }: SettledReply) => {
    const answers: Record<string, readonly Value[]> = { ...given };
    for (const [key, values] of changes) {
      if (values) answers[key] = values;
      else delete answers[key];
    }
    const setting: EvaluationContext = {
      today,
      launch,
      ...(decided && { decided }),
      ...(broken && { broken }),
      ...(uncalculated && { uncalculated }),
      ...(offered.length > 0 && { offered: unpackOffered(offered) }),
    };
    return { answers: changes.length > 0 ? answers : given, setting };
  };
}
