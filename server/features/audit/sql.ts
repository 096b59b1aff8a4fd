import { sql, type Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** A row of the audit log as the database stores it; `details` is the unparsed text. */
export interface EntryRow {
  id: number;
  at: Date;
  actor: string;
  actorId: string | null;
  action: string;
  subject: string | null;
  outcome: string;
  details: string | null;
  requestId: string | null;
}

export type ChainLinkRow = Selectable<DB['auditSeal']>;

const entryColumns = [
  'e.id',
  'e.at',
  'e.actor',
  'e.actorId',
  'e.action',
  'e.subject',
  'e.outcome',
  sql<string | null>`e.details::text`.as('details'),
  'e.requestId',
] as const;

export interface EntryFilter {
  beforeId: number | null;
  action: string | null;
  /** Entries about this visit, its forms and their links. */
  visitId: string | null;
  /** Entries about any of these: a patient and what belongs to them. */
  subjects: readonly string[] | null;
  /** What this person did. */
  personId: string | null;
  from: Date | null;
  to: Date | null;
}

/** The newest entries first. */
export async function findEntries(tx: Tx, officeId: string, filter: EntryFilter, limit: number) {
  const { beforeId, action, visitId, subjects, personId, from, to } = filter;
  return tx
    .selectFrom('auditEntry as e')
    .select(['e.id', 'e.at', 'e.actor', 'e.actorId', 'e.action', 'e.subject', 'e.outcome', 'e.details'])
    .select((q) =>
      q
        .exists(
          q
            .selectFrom('auditSeal as s')
            .select('s.id')
            .where('s.officeId', '=', officeId)
            .whereRef('s.entryId', '=', 'e.id'),
        )
        .as('sealed'),
    )
    .where('e.officeId', '=', officeId)
    .$if(beforeId !== null, (q) => q.where('e.id', '<', beforeId))
    .$if(action !== null, (q) =>
      q.where((w) => w.or([w('e.action', '=', action), sql<boolean>`starts_with(e.action, ${`${action}.`})`])),
    )
    .$if(visitId !== null, (q) =>
      q.where((w) =>
        w.or([
          w('e.subject', '=', visitId),
          sql<boolean>`e.details->>'visit' = ${visitId}`,
          sql<boolean>`e.subject in (select f.id::text from form_submission f where f.office_id = ${officeId} and f.visit_id = ${visitId})`,
        ]),
      ),
    )
    .$if(personId !== null, (q) => q.where('e.actorId', '=', personId))
    .$if(subjects !== null, (q) => q.where('e.id', 'in', entriesAbout(tx, officeId, subjects ?? [])))
    .$if(from !== null, (q) => q.where('e.at', '>=', from))
    .$if(to !== null, (q) => q.where('e.at', '<', to))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute();
}

/** The ids of entries about any of these. Each half uses its own index. */
function entriesAbout(tx: Tx, officeId: string, subjects: readonly string[]) {
  const ids = sql<string>`any(${subjects}::text[])`;
  const entriesOf = tx.selectFrom('auditEntry as a').select('a.id').where('a.officeId', '=', officeId);
  return entriesOf
    .where('a.subject', 'is not', null)
    .where('a.subject', '=', ids)
    .unionAll(
      entriesOf
        .where(sql<boolean>`a.details ->> 'visit' is not null`)
        .where(sql<boolean>`a.details ->> 'visit' = ${ids}`),
    );
}

/** Names of staff by id; for a person without a name, their email or number. */
export async function namesOfPeople(tx: Tx, personIds: string[]): Promise<Map<string, string>> {
  if (personIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('auth.person as p')
    .select([
      'p.id',
      sql<
        string | null
      >`coalesce(nullif(p.name, ''), (select i.value from auth.identity i where i.person_id = p.id limit 1))`.as(
        'name',
      ),
    ])
    .where('p.id', 'in', personIds)
    .execute();
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
}

/** Patient names by the id of a visit, a form, a patient or their conversation. */
export async function patientNamesBySubject(tx: Tx, officeId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    with subject as (select unnest(${ids}::uuid[]) as id)
    select v.id, trim(v.first_name || ' ' || v.last_name) as name
      from subject s join visit v on v.office_id = ${officeId} and v.id = s.id
    union all
    select f.id, f.patient_name from subject s join form_submission f on f.office_id = ${officeId} and f.id = s.id
    union all
    select p.id, trim(p.first_name || ' ' || p.last_name)
      from subject s join patient p on p.office_id = ${officeId} and p.id = s.id
    union all
    select c.id, trim(p.first_name || ' ' || p.last_name)
      from subject s
      join conversation c on c.office_id = ${officeId} and c.id = s.id
      join patient p on p.office_id = c.office_id and (p.id = c.patient_id or p.phone = c.phone)`.execute(tx);
  return new Map(rows.flatMap(({ id, name }) => (name === '' ? [] : [[id, name]])));
}

/** The last link of the office's chain, or the last one chained by `notAfter`. */
export async function lastChainLink(tx: Tx, officeId: string, notAfter?: Date): Promise<ChainLinkRow | undefined> {
  return tx
    .selectFrom('auditSeal')
    .selectAll()
    .where('officeId', '=', officeId)
    .$if(notAfter !== undefined, (q) => q.where('sealedAt', '<=', notAfter as Date))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function timeOfEntry(tx: Tx, officeId: string, entryId: number): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('auditEntry')
    .select('at')
    .where('officeId', '=', officeId)
    .where('id', '=', entryId)
    .executeTakeFirst();
  return row?.at;
}

/** Entries after `afterId` that are not in the chain, the oldest first. */
export async function unchainedEntries(tx: Tx, officeId: string, afterId: number, limit?: number): Promise<EntryRow[]> {
  return tx
    .selectFrom('auditEntry as e')
    .leftJoin('auditSeal as s', (on) => on.onRef('s.officeId', '=', 'e.officeId').onRef('s.entryId', '=', 'e.id'))
    .select(entryColumns)
    .where('e.officeId', '=', officeId)
    .where('e.id', '>', afterId)
    .where('s.id', 'is', null)
    .orderBy('e.id')
    .$if(limit !== undefined, (q) => q.limit(limit as number))
    .execute();
}

/** Inserts the links of one chaining run. */
export async function insertChainLinks(
  tx: Tx,
  officeId: string,
  sealedAt: Date,
  links: Pick<ChainLinkRow, 'id' | 'entryId' | 'hmac'>[],
) {
  const column = <Name extends 'id' | 'entryId' | 'hmac'>(name: Name) => links.map((link) => link[name]);
  await sql`
    insert into audit_seal (office_id, id, entry_id, hmac, sealed_at)
    select ${officeId}::uuid, new.id, new.entry_id, new.hmac, ${sealedAt}
    from unnest(${column('id')}::bigint[], ${column('entryId')}::bigint[], ${column('hmac')}::bytea[]) as new (id, entry_id, hmac)
    returning 1`.execute(tx);
}

/** The next links of the chain with their entries; the entry is null if it was deleted. */
export async function chainLinksAfter(
  tx: Tx,
  officeId: string,
  position: number,
  limit: number,
): Promise<{ link: ChainLinkRow; entry: EntryRow | null }[]> {
  const links = await tx
    .selectFrom('auditSeal')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '>', position)
    .orderBy('id')
    .limit(limit)
    .execute();
  const entries: EntryRow[] = await tx
    .selectFrom('auditEntry as e')
    .select(entryColumns)
    .where('e.officeId', '=', officeId)
    .where('e.id', '=', sql<number>`any(${links.map(({ entryId }) => entryId)}::bigint[])`)
    .execute();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return links.map((link) => ({ link, entry: byId.get(link.entryId) ?? null }));
}

/** Lets one process at a time extend an office's chain; returns false if another process is doing it. */
export async function lockChain(tx: Tx, officeId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`audit-chain:${officeId}`}, 0)) as locked`.execute(tx);
  return rows[0]?.locked === true;
}
