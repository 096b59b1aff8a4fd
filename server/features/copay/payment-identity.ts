import { paymentIdentity } from '#server/features/merchant/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { hasPayments } from './sql.ts';

/** The office's merchant at the payment provider; null while patients cannot pay. */
export async function chargingMerchant(tx: Tx, officeId: string): Promise<string | null> {
  return (await paymentIdentity(tx, officeId))?.merchantId ?? null;
}

/** The payments of an office are for offices that the payment provider knows, approved or not yet. One that it rejects later keeps its books. */
export async function requirePaymentIdentity(tx: Tx, officeId: string): Promise<void> {
  if ((await officeRow(tx, officeId)).finixIdentity !== null) return;
  if (!(await hasPayments(tx, officeId))) throw new Refusal('no_payments');
}
