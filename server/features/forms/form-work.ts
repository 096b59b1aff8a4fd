/** Work whose duration depends on a questionnaire, in child processes. Never await it inside a transaction: that would hold row locks. */
import type { FastifyBaseLogger } from 'fastify';
import { ResultTooLarge } from '#questionnaire/expressions/expression-limits.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';
import type { SuppliedValueSet } from '#questionnaire/loading/value-sets.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { JobEnded } from '#server/kit/workers/job-ended.ts';
import { openWorkerPool, type WorkerPool } from '#server/kit/workers/worker-pool.ts';
import type { FormsOfVersion } from './answer-cells.ts';
import type { AnsweredForm } from './answer-sections.ts';
import type { ExtractedForm, FormToExtract } from './extraction-bundle.ts';
import type { FormPdf, PdfPicture } from './form-pdf.ts';
import type { CheckedForm } from './check-loaded-form.ts';
import type { Draft } from './prepare-submission.ts';
import type { tasks } from './form-worker.ts';

const checkMs = 2_000;
const fileMs = 5_000;
const heapMb = 256;

let pool: WorkerPool<typeof tasks> | undefined;
let log: FastifyBaseLogger | undefined;

/** From now on, a crash of the process that starts workers is logged. */
export function logFormWork(to: FastifyBaseLogger): void {
  log = to;
}

/** One pool for the process, opened with its first job. */
function workerPool(): WorkerPool<typeof tasks> {
  pool ??= openWorkerPool<typeof tasks>({
    file: 'server/features/forms/form-worker.ts',
    processes: 2,
    heapMb,
    onHostEnd: (end) => log?.error(end, 'the process that starts form workers ended'),
  });
  return pool;
}

/** Stops the processes before this one ends. */
export async function closeFormWork(): Promise<void> {
  await workerPool().close();
}

/**
 * Checks a questionnaire. If that takes too long or too much memory, a finding says so and names the expression. `supplied` are value sets that
 * are not in the file.
 */
export async function checkFormInWorker(
  text: string,
  owner: string,
  supplied: readonly SuppliedValueSet[] = [],
): Promise<CheckedForm> {
  const judge = (skipsExpressions: boolean) =>
    workerPool().run('judge', () => ({ text, supplied, skipsExpressions }), {
      owner,
      deadlineMs: checkMs,
      leavesOneFree: true,
    });
  try {
    return await judge(false);
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error;
    const detail = error.note || `${checkMs / 1000} s, ${heapMb} MB`;
    const finding: Finding = { code: 'takes_too_long', severity: 'error', place: '', detail };
    // Without a note it was not an expression that took so long.
    const others = error.note ? await judge(true).catch(nothingIfEnded) : null;
    return { findings: [finding, ...(others?.findings ?? [])], definition: null, missingValueSets: [] };
  }
}

function nothingIfEnded(error: unknown): null {
  if (error instanceof JobEnded) return null;
  throw error;
}

/** Checks a submitted draft and prepares it for filing, or returns the problems that prevent filing. */
export function prepareFormInWorker(draft: Draft, owner: string) {
  const { questionnaire, answers, files, today, timeZone, startedAt, launch, known, about } = draft;
  const own = { questionnaire, answers, files, today, timeZone, startedAt, launch, known, about };
  return refuseIfTooSlow(() => workerPool().run('prepare', () => own, { owner, deadlineMs: fileMs }));
}

/** The answers of a filed form to those questions that this version of the questionnaire has too. */
export function readFiledAnswers(questionnaire: Questionnaire, response: QuestionnaireResponse, owner: string) {
  return refuseIfTooSlow<Answers>(() =>
    workerPool().run('read', () => ({ questionnaire, response }), { owner, deadlineMs: fileMs }),
  );
}

/** The answers of a visit before that may be filled in; none if reading them takes too long: the form can be filled in without them. */
export async function readEarlierAnswers(questionnaire: Questionnaire, response: QuestionnaireResponse, owner: string) {
  const reading = () =>
    workerPool().run('readEarlier', () => ({ questionnaire, response }), { owner, deadlineMs: fileMs });
  return refuseIfTooSlow<Answers>(reading).catch((error: unknown) => {
    if (error instanceof Refusal) return {};
    throw error;
  });
}

/** The answers of a filed form as text, section by section. */
export function readSectionsInWorker(form: AnsweredForm, owner: string) {
  return refuseIfTooSlow(() => workerPool().run('sections', () => form, { owner, deadlineMs: fileMs }));
}

/** The answers of filed forms as cells of a table. Throws `answers_csv_too_long` if they are too many to read at once. */
export async function readCellsInWorker(forms: FormsOfVersion, owner: string) {
  try {
    return await workerPool().run('cells', () => forms, { owner, deadlineMs: fileMs });
  } catch (error) {
    if (error instanceof JobEnded || isTooLarge(error)) throw new Refusal('answers_csv_too_long');
    throw error;
  }
}

/** What the answers of a filed form become, by the rules of its questionnaire. Throws `extraction_too_large` if that is too much. */
export async function extractInWorker(form: FormToExtract, owner: string): Promise<ExtractedForm> {
  try {
    return JSON.parse(await workerPool().run('extract', () => form, { owner, deadlineMs: fileMs })) as ExtractedForm;
  } catch (error) {
    if (isTooLarge(error)) throw new Refusal('extraction_too_large');
    if (error instanceof JobEnded) throw new Refusal('form_too_slow');
    throw error;
  }
}

/** Creates the PDF. The pictures are loaded only once a worker is free. */
export async function createFormPdfInWorker(
  form: FormPdf,
  load: () => Promise<Map<string, PdfPicture>>,
  owner: string,
) {
  const input = async () => ({ form, pictures: await load() });
  const pdf = await refuseIfTooSlow(() => workerPool().run('formPdf', input, { owner, deadlineMs: fileMs }));
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
}

async function refuseIfTooSlow<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JobEnded || isTooLarge(error)) throw new Refusal('form_too_slow');
    throw error;
  }
}

/** Errors thrown in a worker arrive with their name only, so `instanceof` does not work. */
const isTooLarge = (error: unknown) => error instanceof Error && error.name === ResultTooLarge.name;
