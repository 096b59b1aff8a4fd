import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { recordPart } from './record-payments.ts';
import { checkRefund } from './refunds.ts';
import { checkCharge, later, leaseMs } from './send-charge.ts';
import { changePayment, changeRefund, dueOperations, paymentById, refundById, type DueOperation } from './sql.ts';

const batch = 50;

/** Looks up payments and refunds without an answer, and records charged payments in the practice software. */
export function startPayments(services: Services): Job {
  return runJob('payments', 2_000, services.log, () => checkDuePayments(services));
}

/** One round of that; true if more may be due. */
export async function checkDuePayments(services: Services): Promise<boolean> {
  const due = await dueOperations(services.pool, services.now(), batch);
  let failed = 0;
  for (const operation of due) {
    await checkOperation(services, operation).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      failed++;
      services.log.warn({ operation: operation.id, err: error }, 'a payment check failed and will be retried');
    });
  }
  return due.length === batch && failed === 0;
}

async function checkOperation(services: Services, { officeId, id, kind }: DueOperation): Promise<void> {
  const scope = officeScope(services, officeId, systemActor, 'payments');
  if (kind === 'recording') return recordPart(scope, id);
  // Postponed first, so that a provider that does not answer is not asked in a loop.
  const checkAt = later(services, leaseMs);
  const isOpen = await scope.transaction(async (tx) => {
    const row = kind === 'payment' ? await paymentById(tx, officeId, id) : await refundById(tx, officeId, id);
    if (!row?.checkAt || row.checkAt > services.now()) return false;
    const isOver = row.state !== 'PENDING' && row.state !== 'UNKNOWN';
    const changes = { checkAt: isOver ? null : checkAt };
    await (kind === 'payment'
      ? changePayment(tx, { officeId, id }, changes)
      : changeRefund(tx, { officeId, id }, changes));
    return !isOver;
  });
  if (!isOpen) return;
  await (kind === 'payment' ? checkCharge : checkRefund)(scope, id, { resend: true });
}
