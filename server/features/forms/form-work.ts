/** Work whose length a questionnaire decides, in child processes. Never to be awaited inside a transaction: it would hold row locks. */
import { ResultTooLarge } from '#questionnaire/expressions/expression-limits.ts';
import type { Finding } from '#questionnaire/loading/read-questionnaire.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openWorkerPool, type WorkerPool } from '#server/kit/workers/worker-pool.ts';
import { JobEnded } from '#server/kit/workers/worker-process.ts';
import type { FormPaper, PaperPicture } from './form-pdf.ts';
import type { Judged } from './check-loaded-form.ts';
import type { Draft } from './prepare-submission.ts';
import type { tasks } from './form-worker.ts';

const judgeMs = 2_000;
const fileMs = 5_000;
const heapMb = 256;

let opened: WorkerPool<typeof tasks> | undefined;

/** One pool for the process, opened with its first job. */
function workers(): WorkerPool<typeof tasks> {
  opened ??= openWorkerPool<typeof tasks>({ file: 'server/features/forms/form-worker.ts', processes: 2, heapMb });
  return opened;
}

/** Ends the processes for good: this one is about to end. */
export async function closeFormWork(): Promise<void> {
  await workers().close();
}

/** Judges a questionnaire. One that takes too long or too much memory has a finding that says so and names the expression it was at. */
export async function judgeForm(text: string, owner: string): Promise<Judged> {
  try {
    return await workers().run('judge', () => text, { owner, deadlineMs: judgeMs, leavesOneFree: true });
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error;
    const detail = error.note || `${judgeMs / 1000} s, ${heapMb} MB`;
    const finding: Finding = { code: 'takes_too_long', severity: 'error', place: '', detail };
    return { findings: [finding], definition: null };
  }
}

/** Checks a draft that is handed in and makes it what will be filed; or the problems that keep it from being filed. */
export function prepareForm(draft: Draft, owner: string) {
  const { questionnaire, answers, files, today, about } = draft;
  return refusing(() =>
    workers().run('prepare', () => ({ questionnaire, answers, files, today, about }), { owner, deadlineMs: fileMs }),
  );
}

/** The answers of a filed form, as far as this version of the questionnaire asks them too. */
export function readFiled(questionnaire: Questionnaire, response: QuestionnaireResponse, owner: string) {
  return refusing<Answers>(() =>
    workers().run('read', () => ({ questionnaire, response }), { owner, deadlineMs: fileMs }),
  );
}

/** Makes the PDF. The pictures are loaded when a worker is free for them. */
export async function makePaper(form: FormPaper, load: () => Promise<Map<string, PaperPicture>>, owner: string) {
  const input = async () => ({ form, pictures: await load() });
  const pdf = await refusing(() => workers().run('paper', input, { owner, deadlineMs: fileMs }));
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
}

async function refusing<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JobEnded || isTooLarge(error)) throw new Refusal('form_too_slow');
    throw error;
  }
}

/** Thrown in the worker; what comes back from there has the error's name only. */
const isTooLarge = (error: unknown) => error instanceof Error && error.name === ResultTooLarge.name;
