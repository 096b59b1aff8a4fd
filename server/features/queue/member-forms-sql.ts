/** The forms of one visit's family, for the detail panel. */
import type { Tx } from '#server/kit/db/db.ts';

/** Each family member with their drafts and valid submissions; one row without a form for a member who has none. */
export function memberFormRows(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visitMember as m')
    .leftJoin('formSubmission as s', (join) =>
      join
        .onRef('s.officeId', '=', 'm.officeId')
        .onRef('s.visitId', '=', 'm.visitId')
        .onRef('s.memberId', '=', 'm.id')
        .on('s.supersededAt', 'is', null),
    )
    .select([
      'm.id as memberId',
      'm.firstName',
      'm.lastName',
      's.formType',
      's.formName',
      's.state',
      's.outcome',
      's.objectKey',
    ])
    .where('m.officeId', '=', officeId)
    .where('m.visitId', '=', visitId)
    .orderBy('m.position')
    .orderBy('s.startedAt')
    .execute();
}

/** The product's own names of the built-in forms, without those that the office replaced by a form of its own. */
export function builtInFormNames(tx: Tx, officeId: string) {
  return tx
    .selectFrom('knownForm as k')
    .innerJoin('builtInForm as b', 'b.id', 'k.id')
    .select(['b.type', 'b.name'])
    .where('k.officeId', '=', officeId)
    .execute();
}
