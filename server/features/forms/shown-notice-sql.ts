import type { LinkScope } from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { MemberFormKey } from './member-form.ts';

export async function saveShownNotice(
  tx: Tx,
  { officeId, tokenId }: LinkScope,
  { memberId, formType }: MemberFormKey,
  { id, ...shown }: { id: string; url: string | null; shownAt: Date },
): Promise<void> {
  await tx
    .insertInto('shownNotice')
    .values({ officeId, id, tokenId, memberId, formType, ...shown })
    .onConflict((same) => same.columns(['officeId', 'tokenId', 'memberId', 'formType']).doUpdateSet(shown))
    .execute();
}

export function findShownNotice(
  tx: Tx,
  { officeId, tokenId }: LinkScope,
  { memberId, formType }: MemberFormKey,
): Promise<{ url: string | null } | undefined> {
  return tx
    .selectFrom('shownNotice')
    .select('url')
    .where('officeId', '=', officeId)
    .where('tokenId', '=', tokenId)
    .where('memberId', '=', memberId)
    .where('formType', '=', formType)
    .executeTakeFirst();
}
