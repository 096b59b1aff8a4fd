import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntries } from '#server/kit/audit.ts';
import { endStatementsAfter, isStatementTooLong } from '#server/kit/db/statement-limit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openTurns } from '#server/kit/turns.ts';
import { longestAnswersCsv } from '#contract/forms/desk.ts';
import type { AnswerColumn } from './answer-cells.ts';
import { answersCsv, sizeOfCsv, type AnswerRow } from './answers-csv.ts';
import { pageOfAnswers, type AnswersCursor, type FiledAnswersRow } from './answers-sql.ts';
import { namesByType, type Definition } from './definition-sql.ts';
import { readDefinition } from './definitions.ts';
import { readCellsInWorker } from './form-work.ts';
import { daysAndName, type FormsFilter } from './list-forms.ts';
import { safeName } from './zip.ts';

const csvsPerOffice = { name: 'answers-csv', points: 12, seconds: 3600 };
/** Forms that are read, and handed to a worker, at once. */
const formsAtOnce = 250;
/** The cells of a file are in memory while it is made. The limit of each office comes first, so that nobody fills the places of those who wait. */
const turns = openTurns({ running: 2, runningOfSender: 1, waiting: 60, waitMs: 5_000 });
/** A file that takes longer gives its place to others. */
const longestMs = 60_000;

type AskedAnswers = Pick<FormsFilter, 'startDate' | 'endDate' | 'patientName'> & { formType: string };

/**
 * The answers of one form's submissions as a CSV file, the newest first. Each form has its audit entry before its answers are read. A file
 * for which this server has no place does not count; while it waits it does.
 */
export async function downloadAnswers(
  ctx: OfficeCtx,
  request: AskedAnswers,
  atMostMs = longestMs,
): Promise<FileAnswer> {
  await ctx.limits.take(csvsPerOffice, ctx.officeId);
  try {
    return await turns.run(ctx.officeId, () => answersFile(ctx, request, Date.now() + atMostMs));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'overloaded') await ctx.limits.giveBack(csvsPerOffice, ctx.officeId);
    throw isStatementTooLong(error) ? new Refusal('answers_csv_too_long') : error;
  }
}

async function answersFile(ctx: OfficeCtx, request: AskedAnswers, until: number): Promise<FileAnswer> {
  const { formType } = request;
  const filter = { officeId: ctx.officeId, formType, ...daysAndName(ctx, request) };
  const rows: AnswerRow[] = [];
  const columns = new Map<string, AnswerColumn>();
  const size = sizeOfCsv();
  let cursor: AnswersCursor | null = null;
  for (;;) {
    const page: PageOfForms = await readPage(ctx, filter, cursor, until);
    for (const [definition, forms] of page.byVersion) {
      const responses = forms.map(({ response }) => response);
      const { questionnaire, version } = definition;
      const read = await readCellsInWorker({ questionnaire, responses, language: ctx.language }, ctx.officeId);
      // The newest forms come first, so the newest version decides about a column's place.
      for (const cells of read.rows) size.add(cells);
      for (const column of read.columns) if (!columns.has(column.key)) columns.set(column.key, column);
      // Without the responses: those of a long span would fill the memory beside their cells.
      rows.push(...forms.map(({ response: _, ...form }, i) => ({ ...form, version, cells: read.rows[i] ?? {} })));
    }
    const isTooLong = rows.length > longestAnswersCsv || size.isTooLarge(rows.length * columns.size);
    if (isTooLong || Date.now() > until) throw new Refusal('answers_csv_too_long');
    if (!page.next) break;
    cursor = page.next;
  }
  rows.sort((one, other) => other.completedAt.getTime() - one.completedAt.getTime());
  const content = await answersCsv(rows, [...columns.values()], ctx);
  const names = await ctx.transaction((tx) => namesByType(tx, ctx.officeId));
  const name = names.get(formType)?.[ctx.language] ?? formType;
  return {
    content,
    contentType: 'text/csv; charset=utf-8',
    bytes: content.length,
    disposition: 'attachment',
    fileName: `${safeName(`${name} ${dayOf(ctx.now(), ctx.timeZone)}`)}.csv`,
  };
}

interface PageOfForms {
  byVersion: [Definition, FiledAnswersRow[]][];
  next: AnswersCursor | null;
}

async function readPage(
  ctx: OfficeCtx,
  filter: Parameters<typeof pageOfAnswers>[1],
  cursor: AnswersCursor | null,
  until: number,
): Promise<PageOfForms> {
  return ctx.transaction(async (tx) => {
    await endStatementsAfter(tx, until);
    const forms = await pageOfAnswers(tx, filter, cursor, formsAtOnce);
    const ids = forms.map(({ id }) => id);
    if (ids.length > 0)
      await writeAuditEntries(tx, ctx, { action: 'form.download', details: { csv: ids.length } }, ids);
    const byVersion: PageOfForms['byVersion'] = [];
    for (const [definitionId, ofVersion] of Map.groupBy(forms, (form) => form.definitionId)) {
      const definition = await readDefinition(tx, ctx.officeId, definitionId);
      if (!definition) throw new Error('the definition of a filed form is missing');
      byVersion.push([definition, ofVersion]);
    }
    const last = forms.length === formsAtOnce ? forms.at(-1) : undefined;
    return { byVersion, next: last ? { completedAt: last.completedAt, id: last.id } : null };
  });
}
