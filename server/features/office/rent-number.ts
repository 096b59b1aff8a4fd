import { createHash } from 'node:crypto';
import type { OfficeScope } from '#server/context.ts';
import { changeOffice } from './change-office.ts';
import { isNumberTaken, readOfficeUncached } from './sql.ts';

/** Rents a number for an office that the operator vouches for; no limit on new practices counts. A retry finds the same number. */
export async function rentOfficeNumber(
  scope: OfficeScope,
): Promise<{ name: string; before: string | null; number: string }> {
  const { db, providers, officeId } = scope;
  const { name, state, zip, textNumber: before } = await scope.transaction((tx) => readOfficeUncached(tx, officeId));
  const key = createHash('sha256').update(`office ${officeId}`).digest('hex');
  const number = await providers.sms.takeNumber(
    { key, state, zip, taken: before, budgets: [] },
    async (one) => !(await isNumberTaken(db, one)),
  );
  await changeOffice(scope, [['textNumber', number]]);
  return { name, before, number };
}
