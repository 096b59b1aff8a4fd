import { sql } from 'kysely';
import type { Share } from '#contract/sharing.ts';
import type { Tx } from '#server/kit/db.ts';

const openings = 50;

/** A visit's links, newest first, each with what it shows and who opened it. One of them, when it is named. */
export async function sharesOf(tx: Tx, officeId: string, visitId: string, shareId?: string): Promise<Share[]> {
  let wanted = tx
    .selectFrom('shareLink')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');
  if (shareId !== undefined) wanted = wanted.where('id', '=', shareId);
  const links = await wanted.execute();
  if (links.length === 0) return [];
  const forms = await tx
    .selectFrom('formSubmission')
    .select(['id', 'formName', 'patientName'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('state', '<>', 'draft')
    .orderBy('completedAt')
    .execute();
  const opened = await tx
    .selectFrom('shareOpen')
    .select(['shareId', 'submissionId', 'at', 'userAgent'])
    .where('officeId', '=', officeId)
    .where(
      'shareId',
      'in',
      links.map(({ id }) => id),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return links.map((link) => ({
    id: link.id,
    sharedWith: link.sharedWith,
    forms: forms
      .filter(({ id }) => link.submissionIds.includes(id))
      .map(({ id, formName, patientName }) => ({ submissionId: id, formName, patientName })),
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    revokedAt: link.revokedAt?.toISOString() ?? null,
    opened: opened
      .filter((opening) => opening.shareId === link.id)
      .slice(0, openings)
      .map(({ at, userAgent, submissionId }) => ({
        at: at.toISOString(),
        browser: userAgent ?? '',
        formName: forms.find(({ id }) => id === submissionId)?.formName ?? null,
      })),
  }));
}

/** Those of these submissions that are this visit's. */
export async function submittedOf(tx: Tx, officeId: string, visitId: string, ids: readonly string[]) {
  return tx
    .selectFrom('formSubmission')
    .select(['id', 'formName', 'patientName', 'completedAt', 'objectKey'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('state', '<>', 'draft')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('completedAt')
    .orderBy('id')
    .execute();
}
