import type { FormIndicator, MemberForm, MemberForms } from '#contract/queue.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { memberFormRows } from './member-forms-sql.ts';

type Row = Awaited<ReturnType<typeof memberFormRows>>[number];

/** Each family member's forms: those that the office asks for, in its order, then others that were submitted. */
export async function memberFormsOf(
  tx: Tx,
  officeId: string,
  visitId: string,
  wanted: readonly FormIndicator[],
): Promise<MemberForms[]> {
  const rows = await memberFormRows(tx, officeId, visitId);
  const members = new Map(rows.map(({ memberId, firstName, lastName }) => [memberId, `${firstName} ${lastName}`]));
  return [...members].map(([memberId, name]) => {
    const own = rows.filter((row) => row.memberId === memberId);
    const others = own.filter(
      ({ formType, state }) =>
        state !== null && state !== 'draft' && wanted.every((form) => form.indicator !== formType),
    );
    return {
      memberId,
      name,
      forms: [
        ...wanted.map(({ indicator, visibleName }) =>
          toMemberForm(
            indicator,
            visibleName,
            own.filter(({ formType }) => formType === indicator),
          ),
        ),
        ...others.map((row) => {
          const filedAs = row.formName ?? '';
          return toMemberForm(row.formType ?? '', { en: filedAs, es: filedAs }, [row]);
        }),
      ],
    };
  });
}

/** A submitted form stays submitted while it is amended. */
function toMemberForm(
  formType: string,
  visibleName: MemberForm['visibleName'],
  rows: readonly Pick<Row, 'state' | 'outcome' | 'objectKey'>[],
): MemberForm {
  const valid = rows.find(({ state }) => state !== 'draft');
  return {
    formType,
    visibleName,
    state: valid ? 'submitted' : rows.length > 0 ? 'started' : 'missing',
    outcome: valid?.outcome ?? null,
    objectKey: valid?.objectKey ?? null,
  };
}
