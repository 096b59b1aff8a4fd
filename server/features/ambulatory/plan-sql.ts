import type { Selectable } from 'kysely';
import type { AmbuSettings } from '#contract/ambulatory/surveys.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

type PlanRow = Pick<Selectable<DB['plannedSurvey']>, 'id' | 'type' | 'day' | 'formType' | 'photo'>;

/** The plan in the order of its days, the satisfaction survey last. */
export function planRows(tx: Tx, officeId: string): Promise<PlanRow[]> {
  return tx
    .selectFrom('plannedSurvey')
    .select(['id', 'type', 'day', 'formType', 'photo'])
    .where('officeId', '=', officeId)
    .orderBy('day', (order) => order.asc().nullsLast())
    .execute();
}

export async function insertPlanRows(tx: Tx, officeId: string, rows: readonly PlanRow[]): Promise<void> {
  await tx
    .insertInto('plannedSurvey')
    .values(rows.map((row) => ({ officeId, ...row })))
    .execute();
}

export async function setPlanRow(
  tx: Tx,
  officeId: string,
  id: string,
  columns: Pick<PlanRow, 'formType' | 'photo'>,
): Promise<void> {
  await tx.updateTable('plannedSurvey').set(columns).where('officeId', '=', officeId).where('id', '=', id).execute();
}

export async function deletePlanRow(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx.deleteFrom('plannedSurvey').where('officeId', '=', officeId).where('id', '=', id).execute();
}

export async function setAmbuSettings(tx: Tx, officeId: string, settings: AmbuSettings): Promise<void> {
  await tx
    .updateTable('office')
    .set({ ambuSettings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
}

/** The settings as they are now; the same transaction may have changed them. */
export function ambuSettingsRow(tx: Tx, officeId: string) {
  return tx.selectFrom('office').select('ambuSettings').where('id', '=', officeId).executeTakeFirstOrThrow();
}
