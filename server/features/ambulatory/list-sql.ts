import { sql, type SqlBool } from 'kysely';
import {
  areFormsComplete,
  type AmbuInvite,
  type AmbuPatient,
  type SurveyType,
  type WaitingCallback,
} from '#contract/ambulatory/shapes.ts';
import { mostAmbuPatients, type AmbuSort } from '#contract/ambulatory/patients.ts';
import { textBlockColumn, waitingUntil } from '#server/features/texting/index.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { PlanEntry } from './plan.ts';
import { daysBetween, nextSurvey, type Clock } from './survey-times.ts';

/** Episodes with what the lists show. */
function listRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('episode as e')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'e.officeId').onRef('p.id', '=', 'e.patientId'))
    .leftJoin('text as t', (join) => join.onRef('t.officeId', '=', 'e.officeId').onRef('t.id', '=', 'e.textId'))
    .select([
      'e.officeId',
      'e.id',
      'e.name',
      'e.phone',
      'e.email',
      'e.language',
      'e.heldOn',
      'e.state',
      'e.endedBy',
      'e.invitedAt',
      'e.consentedAt',
      'e.stationaryPain',
      'e.movementPain',
      'e.lastType',
      'e.lastSubmittedAt',
      'e.notes',
      'e.notesVersion',
      'e.notesAt',
      'e.notesBy',
      'p.userCode',
      't.state as textState',
      't.errorClass as textProblem',
      't.sendAt as textSendAt',
    ])
    .select((q) => [
      q
        .selectFrom('nurseCallback as c')
        .select(
          sql<WaitingCallback>`
            json_build_object('state', c.state, 'takenBy', case when c.taken_by is not null
              then json_build_object('id', c.taken_by, 'name', coalesce(c.taken_by_name, '')) end)`.as('one'),
        )
        .where('c.officeId', '=', officeId)
        .whereRef('c.episodeId', '=', 'e.id')
        .where('c.state', '<>', 'closed')
        // The open one comes before the taken one.
        .orderBy('c.state')
        .limit(1)
        .as('callback'),
      textBlockColumn('e', officeId),
      q
        .selectFrom('survey as s')
        .select(
          sql<{ type: SurveyType; day: number; key: string | null }[]>`
            json_agg(json_build_object('type', s.type, 'day', s.day, 'key', s.object_key) order by s.day desc)`.as(
            'all',
          ),
        )
        .where('s.officeId', '=', officeId)
        .whereRef('s.episodeId', '=', 'e.id')
        .as('surveys'),
    ])
    .where('e.officeId', '=', officeId);
}
export type ListRow = Awaited<ReturnType<ReturnType<typeof listRows>['executeTakeFirstOrThrow']>>;

export function patientRow(tx: Tx, officeId: string, id: string): Promise<ListRow> {
  return listRows(tx, officeId).where('e.id', '=', id).executeTakeFirstOrThrow();
}

/** The open invitations, newest first. */
export const inviteRows = (tx: Tx, officeId: string) =>
  listRows(tx, officeId)
    .where('e.state', '=', 'pending')
    .orderBy('e.invitedAt', 'desc')
    .orderBy('e.id', 'desc')
    .limit(mostAmbuPatients);

export function toInvite(row: ListRow, { npi, now }: { npi: string; now(): Date }): AmbuInvite {
  return {
    patientName: row.name,
    phoneNumber: row.phone,
    npi,
    userCode: row.userCode,
    userId: row.id,
    episodeDate: row.heldOn,
    language: row.language,
    invitedAt: row.invitedAt.toISOString(),
    textSendAt: waitingUntil({ state: row.textState, sendAt: row.textSendAt }, now()),
    lastTextState: row.textState,
    lastTextProblem: row.textProblem,
  };
}

/** What a patient's row depends on besides itself. */
export interface ListSetting {
  plan: readonly PlanEntry[];
  clock: Clock;
  now: Date;
}

export function toAmbuPatient(row: ListRow, { plan, clock, now }: ListSetting): AmbuPatient {
  const surveys = row.surveys ?? [];
  const last = { lastFormType: row.lastType, lastFormSubmission: row.lastSubmittedAt?.toISOString() ?? null };
  const next = row.state === 'active' ? nextSurvey(clock, row, { plan, surveys, now }) : null;
  return {
    user: row.id,
    patientName: row.name,
    nurseCallback: row.callback !== null,
    userData: { name: row.name, phoneNumber: row.phone, email: row.email, userCode: row.userCode, userId: row.id },
    stationaryPainScore: row.stationaryPain,
    movementPainScore: row.movementPain,
    ...last,
    notes: row.notes,
    s3ObjectKeys: surveys.flatMap(({ key }) => key ?? []),
    status: row.state,
    endedBy: row.endedBy,
    callback: row.callback,
    complete: areFormsComplete(last, now),
    episodeDate: row.heldOn,
    day: daysBetween(row.heldOn, dayOf(now, clock.timeZone)),
    language: row.language,
    invitedAt: row.invitedAt.toISOString(),
    consentedAt: row.consentedAt?.toISOString() ?? null,
    surveysAsked: surveys.length,
    nextSurveyAt: next?.at.toISOString() ?? null,
    notesVersion: row.notesVersion,
    lastTextState: row.textState,
    lastTextProblem: row.textProblem,
    textBlock: row.textBlock,
  };
}

export interface ListFilter {
  /** Beginnings of names. */
  words: readonly string[];
  states: readonly AmbuPatient['status'][];
  forms: readonly ('complete' | 'incomplete')[];
  now: Date;
}

/** The episodes that a filter finds. */
function filterEpisodes(tx: Tx, officeId: string, { words, states, forms, now }: ListFilter) {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const isComplete = sql<SqlBool>`(e.last_type = 'ambu-satisfaction' or e.last_submitted_at > ${dayAgo})`;
  let found = tx.selectFrom('episode as e').where('e.officeId', '=', officeId).where('e.state', 'in', states);
  for (const word of words) found = found.where(sql<SqlBool>`strpos(' ' || e.sort_name, ${` ${word}`}) > 0`);
  if (forms.length === 1)
    found = found.where(forms[0] === 'complete' ? isComplete : sql<SqlBool>`${isComplete} is not true`);
  return found;
}

export async function countPatients(tx: Tx, officeId: string, filter: ListFilter): Promise<number> {
  const { total } = await filterEpisodes(tx, officeId, filter)
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The ids of one page, in order; each order has an index. */
async function pageOfIds(
  tx: Tx,
  officeId: string,
  filter: ListFilter,
  { sort, order, offset, limit }: { sort: AmbuSort; order: 'asc' | 'desc'; offset: number; limit: number },
): Promise<string[]> {
  const found = filterEpisodes(tx, officeId, filter).select('e.id').offset(offset).limit(limit);
  const column = { stationary: 'e.stationaryPain', movement: 'e.movementPain' } as const;
  const isUp = order === 'asc';
  const sorted =
    sort === 'newest'
      ? found.orderBy('e.invitedAt', order).orderBy('e.id', order)
      : sort === 'name'
        ? found.orderBy('e.sortName', order).orderBy('e.id', order)
        : found.orderBy(column[sort], (by) => (isUp ? by.asc() : by.desc()).nullsLast()).orderBy('e.id', 'desc');
  return (await sorted.execute()).map(({ id }) => id);
}

/** One page of patients. The ids first: only the rows of the page are joined with their texts and surveys. */
export async function patientPage(...[tx, officeId, filter, page]: Parameters<typeof pageOfIds>): Promise<ListRow[]> {
  const ids = await pageOfIds(tx, officeId, filter, page);
  if (ids.length === 0) return [];
  const rows = await listRows(tx, officeId).where('e.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The language of the patient with this number; undefined if nobody has it. */
export async function languageOfPhone(tx: Tx, officeId: string, phone: string) {
  const patient = await tx
    .selectFrom('patient')
    .select('language')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return patient?.language;
}

/** The conversation with a number; null if nobody has written yet. */
export async function conversationOfPhone(tx: Tx, officeId: string, phone: string): Promise<string | null> {
  const conversation = await tx
    .selectFrom('conversation')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where('channel', '=', 'text')
    .executeTakeFirst();
  return conversation?.id ?? null;
}
