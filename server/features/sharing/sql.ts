import { sql, type Insertable } from 'kysely';
import type pg from 'pg';
import { maxOpeningsShown, type Share } from '#contract/sharing.ts';
import type { DB } from '#db/tables.ts';
import type { EntryOwner } from '#server/features/queue/index.ts';
import { parseUserAgent } from '#server/features/sign-in/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';

interface ShareFilter {
  /** Only this link. */
  shareId?: string;
  /** Only links that show one of these submissions. */
  showing?: readonly string[];
  /** Only links made with this token of the visit. */
  madeWith?: EntryOwner;
}

/** A visit's links, newest first, each with its forms and openings. */
export async function sharesOf(tx: Tx, officeId: string, visitId: string, which: ShareFilter = {}): Promise<Share[]> {
  let wanted = tx
    .selectFrom('shareLink')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');
  if (which.shareId !== undefined) wanted = wanted.where('id', '=', which.shareId);
  if (which.madeWith) wanted = wanted.where('tokenId', '=', which.madeWith);
  if (which.showing) wanted = wanted.where(sql<boolean>`submission_ids && ${which.showing}::uuid[]`);
  const links = await wanted.execute();
  if (links.length === 0) return [];
  const forms = await tx
    .selectFrom('formSubmission')
    .select(['id', 'formName', 'patientName', 'supersededAt'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('state', '<>', 'draft')
    .orderBy('completedAt')
    .execute();
  const opened = await tx
    .selectFrom('shareLink as s')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('shareOpen as o')
          .select(['o.shareId', 'o.submissionId', 'o.at', 'o.userAgent'])
          .where('o.officeId', '=', officeId)
          .whereRef('o.shareId', '=', 's.id')
          .orderBy('o.at', 'desc')
          .orderBy('o.id', 'desc')
          .limit(maxOpeningsShown)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
    .where('s.officeId', '=', officeId)
    .where(
      's.id',
      'in',
      links.map(({ id }) => id),
    )
    .execute();
  return links.map((link) => ({
    id: link.id,
    sharedWith: link.sharedWith,
    forms: forms
      .filter(({ id }) => link.submissionIds.includes(id))
      .map(({ id, formName, patientName, supersededAt }) => ({
        submissionId: id,
        formName,
        patientName,
        outdated: supersededAt !== null,
      })),
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    revokedAt: link.revokedAt?.toISOString() ?? null,
    revokedBy: link.revokedAt === null ? null : link.revokedBy === null ? 'patient' : 'office',
    opened: opened
      .filter((opening) => opening.shareId === link.id)
      .map(({ at, userAgent, submissionId }) => ({
        at: at.toISOString(),
        ...parseUserAgent(userAgent ?? ''),
        formName: forms.find(({ id }) => id === submissionId)?.formName ?? null,
      })),
  }));
}

/** The submissions of this list that belong to the visit. */
export async function submittedOf(
  tx: Tx,
  officeId: string,
  visitId: string,
  ids: readonly string[],
  enteredWith: EntryOwner = null,
) {
  return tx
    .selectFrom('formSubmission')
    .select(['id', 'formName', 'patientName', 'completedAt', 'objectKey'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('state', '<>', 'draft')
    .$if(enteredWith !== null, (q) => q.where('tokenId', '=', enteredWith))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('completedAt')
    .orderBy('id')
    .execute();
}

/** The visit of a form's key, and all versions of that form there. */
export async function versionsOf(tx: Tx, officeId: string, key: string): Promise<{ visitId: string; ids: string[] }> {
  const rows = await tx
    .selectFrom('formSubmission as this')
    .innerJoin('formSubmission as v', (join) =>
      join
        .onRef('v.officeId', '=', 'this.officeId')
        .onRef('v.visitId', '=', 'this.visitId')
        .onRef('v.memberId', '=', 'this.memberId')
        .onRef('v.formType', '=', 'this.formType'),
    )
    .select(['v.id', 'v.visitId'])
    .where('this.officeId', '=', officeId)
    .where('this.objectKey', '=', key)
    .execute();
  return { visitId: rows[0]?.visitId ?? '', ids: rows.map(({ id }) => id) };
}

/** Stores a link, so that its token leads to it from now on. */
export async function insertShare(tx: Tx, share: Insertable<DB['shareLink']>): Promise<void> {
  await tx.insertInto('shareLink').values(share).execute();
  await addToDirectory(tx, { officeId: share.officeId, kind: 'share_link', key: share.tokenHash });
}

/** The link of a token, before its office is known. */
export async function findShare(
  pool: pg.Pool,
  tokenHash: Buffer,
): Promise<{ officeId: string; id: string } | undefined> {
  const { rows } = await pool.query<{ office_id: string; id: string }>({
    name: 'door_share_by_token',
    text: 'select * from door_share_by_token($1)',
    values: [tokenHash],
  });
  return rows[0] && { officeId: rows[0].office_id, id: rows[0].id };
}

export type ShareRow = Awaited<ReturnType<typeof shareOf>>;

export function shareOf(tx: Tx, officeId: string, id: string) {
  return tx
    .selectFrom('shareLink')
    .select(['id', 'visitId', 'submissionIds', 'expiresAt', 'revokedAt'])
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** An insert of one opening of a link, not executed yet. */
export const openingStatement = (tx: Tx, opening: Insertable<DB['shareOpen']>) =>
  tx.insertInto('shareOpen').values(opening);

/** What whoever has a link sees of the visit itself. */
export function visitToShow(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visit as v')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'v.officeId').onRef('p.id', '=', 'v.patientId'))
    .select(['v.firstName', 'v.lastName', 'v.arrivedAt', 'v.createdAt', 'p.userCode'])
    .where('v.officeId', '=', officeId)
    .where('v.id', '=', visitId)
    .executeTakeFirstOrThrow();
}

/** Revokes a link. `by` is null for the patient. Returns false if the link is missing or already revoked. */
export async function endShareLink(
  tx: Tx,
  { officeId, visitId, id, at, by }: { officeId: string; visitId: string; id: string; at: Date; by: string | null },
): Promise<boolean> {
  const ended = await tx
    .updateTable('shareLink')
    .set({ revokedAt: at, revokedBy: by })
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** The visit of a link. */
export async function visitOfShare(tx: Tx, officeId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('shareLink')
    .select('visitId')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.visitId;
}
