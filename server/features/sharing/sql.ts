import { sql } from 'kysely';
import { maxOpeningsShown, type Share } from '#contract/sharing.ts';
import type { EntryOwner } from '#server/features/queue/index.ts';
import { parseUserAgent } from '#server/features/sign-in/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

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
          .whereRef('o.officeId', '=', 's.officeId')
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

/** Those of these submissions that belong to this visit. */
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
