import { sql } from 'kysely';
import { patientsPerPage, visitsShown, type DirectoryPatient, type PatientVisitFacts } from '#contract/directory.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Patients with the day of their newest visit. */
function patientRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('patient as p')
    .select((q) => [
      'p.id',
      'p.userCode',
      'p.firstName',
      'p.lastName',
      'p.phone',
      'p.birthDate',
      'p.sortName',
      q
        .selectFrom('visit as v')
        .select('v.day')
        .where('v.officeId', '=', officeId)
        .whereRef('v.patientId', '=', 'p.id')
        .orderBy('v.createdAt', 'desc')
        .limit(1)
        .as('lastVisit'),
    ])
    .where('p.officeId', '=', officeId);
}
export type PatientRow = Awaited<ReturnType<ReturnType<typeof patientRows>['executeTakeFirstOrThrow']>>;

/** The smallest text that is greater than every text with this beginning. */
const afterBeginning = (word: string) => `${word}\u{10FFFF}`;

const fewMatches = 5_000;

/** The word with the fewest matches, if they are few enough to be sorted; null if every word is common. */
async function rarestWord(tx: Tx, officeId: string, words: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ word: string; matches: number }>`
    select s.word, (
      select count(*)::int from (
        select from patient_word w
        where w.office_id = ${officeId} and w.word >= s.word and w.word < s.word || ${afterBeginning('')}
        limit ${fewMatches + 1}
      ) m
    ) as matches
    from unnest(${words}::text[]) s (word)
    order by matches
    limit 1`.execute(tx);
  const [rarest] = rows;
  return rarest && rarest.matches <= fewMatches ? rarest.word : null;
}

/**
 * One page of patients by name and one more row; of those that have a word with each of these beginnings. It starts from the matches of the
 * rarest word. If all words are common it walks the patients in order instead, and stops when the page is full.
 */
export async function patientPage(
  tx: Tx,
  officeId: string,
  { words, after }: { words: readonly string[]; after: { sortName: string; id: string } | null },
): Promise<PatientRow[]> {
  const rarest = words.length > 0 ? await rarestWord(tx, officeId, words) : null;
  let page = patientRows(tx, officeId);
  if (rarest !== null)
    page = page.where('p.id', 'in', (q) =>
      q
        .selectFrom('patientWord as w')
        .select('w.patientId')
        .where('w.officeId', '=', officeId)
        .where('w.word', '>=', rarest)
        .where('w.word', '<', afterBeginning(rarest)),
    );
  for (const word of words.filter((other) => other !== rarest))
    // A scalar, not EXISTS: PostgreSQL would make a join of that, and read all matches of a common word.
    page = page.where(
      sql<boolean>`(
        select true from patient_word w
        where w.office_id = ${officeId} and w.patient_id = p.id and w.word >= ${word} and w.word < ${afterBeginning(word)}
        limit 1
      )`,
    );
  return page
    .$if(after !== null, (q) => q.where(sql<boolean>`(p.sort_name, p.id) > (${after?.sortName}, ${after?.id}::uuid)`))
    .orderBy('p.sortName')
    .orderBy('p.id')
    .limit(patientsPerPage + 1)
    .execute();
}

export function findPatient(tx: Tx, officeId: string, id: string): Promise<PatientRow | undefined> {
  return patientRows(tx, officeId).where('p.id', '=', id).executeTakeFirst();
}

/** A patient's newest visits with who came, and one more. */
export async function visitsOfPatient(tx: Tx, officeId: string, patientId: string): Promise<PatientVisitFacts[]> {
  const rows = await tx
    .selectFrom('visit as v')
    .select((q) => [
      'v.id',
      'v.day',
      'v.arrivedAt',
      'v.status',
      'v.endReason',
      'v.firstName',
      'v.lastName',
      q
        .selectFrom('visitMember as m')
        .select(sql<string[]>`array_agg(m.first_name || ' ' || m.last_name order by m.position)`.as('people'))
        .where('m.officeId', '=', officeId)
        .whereRef('m.visitId', '=', 'v.id')
        .as('people'),
    ])
    .where('v.officeId', '=', officeId)
    .where('v.patientId', '=', patientId)
    .orderBy('v.createdAt', 'desc')
    .limit(visitsShown + 1)
    .execute();
  return rows.map(({ id, day, arrivedAt, status, endReason, firstName, lastName, people }) => ({
    id,
    day,
    arrivedAt: arrivedAt?.toISOString() ?? null,
    status,
    endReason,
    people: people ?? [`${firstName} ${lastName}`.trim()].filter((name) => name !== ''),
  }));
}

/**
 * Everybody who checked in with the patient's phone, each name once, with the birthday that was entered last on a visit whose texted link was
 * opened: anybody can type a name, a birthday and somebody else's number.
 */
export async function familyOf(tx: Tx, officeId: string, patientId: string) {
  const { rows } = await sql<{ name: string; birthDate: string | null }>`
    select distinct on (search_words(m.first_name || ' ' || m.last_name))
      m.first_name || ' ' || m.last_name as name, case when v.proved_at is not null then m.birth_date end as birth_date
    from visit v join visit_member m on m.office_id = v.office_id and m.visit_id = v.id
    where v.office_id = ${officeId} and v.patient_id = ${patientId}
    order by search_words(m.first_name || ' ' || m.last_name), m.birth_date is null or v.proved_at is null, v.created_at desc
    limit 50`.execute(tx);
  return rows;
}

/** The conversation with a number, if there is one. */
export function conversationWith(tx: Tx, officeId: string, phone: string) {
  return tx
    .selectFrom('conversation')
    .select(['id', 'lastSequence', 'unread', 'lastBody', 'lastSender', 'lastAt'])
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where('channel', '=', sql.lit('text'))
    .executeTakeFirst();
}

export function toDirectoryPatient(row: PatientRow): DirectoryPatient {
  return {
    id: row.id,
    userCode: row.userCode,
    name: `${row.firstName} ${row.lastName}`.trim(),
    phone: row.phone,
    birthDate: row.birthDate,
    lastVisit: row.lastVisit,
  };
}
