import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { isAdopted } from './provider-news.ts';
import { recordPart } from './record-payments.ts';
import { dueRecordings, type DueRecording } from './recording-sql.ts';
import { checkRefund } from './refunds.ts';
import { checkCharge, hourLater, hasEndedUnnamed, later, leaseMs } from './send-charge.ts';
import { changePayment, changeRefund, dueOperations, paymentById, refundById, type DueOperation } from './sql.ts';

const batch = 50;
/** How long the provider is asked every hour about what ended without its word: a person may have been wrong, or a call still on its way. */
const doubtMs = 7 * 24 * 3_600_000;

/** Looks up payments and refunds without an answer, and records charged payments in the practice software. Neither waits for the other. */
export function startPayments(services: Services): Job[] {
  return [
    runJob('payments', 2_000, services.log, () => lookUpDuePayments(services)),
    runJob('payment-recordings', 2_000, services.log, () => recordDuePayments(services)),
  ];
}

/** One round of both; true if more may be due. */
export async function checkDuePayments(services: Services): Promise<boolean> {
  const mayLookUp = await lookUpDuePayments(services);
  const mayRecord = await recordDuePayments(services);
  return mayLookUp || mayRecord;
}

/** One round of looking up; true if more may be due. */
export async function lookUpDuePayments(services: Services): Promise<boolean> {
  const due = await dueOperations(services.pool, services.now(), batch);
  const failed = await inTurn(services, due, (operation) => lookUp(services, operation).then(() => true));
  return due.length === batch && failed === 0;
}

/**
 * One round of recording; true if more may be due. Practices do not wait for each other's software, and one that does not answer is not asked
 * for the next part in the same round.
 */
export async function recordDuePayments(services: Services): Promise<boolean> {
  const due = await dueRecordings(services.pool, services.now(), batch);
  const record = ({ officeId, id }: DueRecording) =>
    recordPart(officeScope(services, officeId, systemActor, 'payments'), id);
  const byOffice = [...Map.groupBy(due, ({ officeId }) => officeId).values()];
  const failed = await Promise.all(byOffice.map((ofOffice) => inTurn(services, ofOffice, record)));
  return due.length > 0 && failed.every((count) => count === 0);
}

/** One after the other, until one of them answers false; returns how many failed. */
async function inTurn<Due extends { id: string }>(
  services: Services,
  due: readonly Due[],
  work: (one: Due) => Promise<boolean>,
): Promise<number> {
  let failed = 0;
  for (const one of due) {
    const goesOn = await work(one).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      failed++;
      services.log.warn({ operation: one.id, err: error }, 'a payment check or recording failed');
      return true;
    });
    if (!goesOn) return failed + 1;
  }
  return failed;
}

async function lookUp(services: Services, { officeId, id, kind }: DueOperation): Promise<void> {
  const scope = officeScope(services, officeId, systemActor, 'payments');
  // Postponed first, so that a provider that does not answer is not asked in a loop.
  const checkAt = later(services, leaseMs);
  const isOpen = await scope.transaction(async (tx) => {
    const row = kind === 'payment' ? await paymentById(tx, officeId, id) : await refundById(tx, officeId, id);
    if (!row?.checkAt || row.checkAt > services.now()) return false;
    const isOpen = row.state === 'PENDING' || row.state === 'UNKNOWN';
    const isUnnamed = hasEndedUnnamed(row) || ('atProvider' in row && isAdopted(row));
    const isDoubted = isUnnamed && row.settledAt !== null && later(services, -doubtMs) < row.settledAt;
    const changes = { checkAt: isOpen ? checkAt : isDoubted ? hourLater(services) : null };
    await (kind === 'payment'
      ? changePayment(tx, { officeId, id }, changes)
      : changeRefund(tx, { officeId, id }, changes));
    return isOpen || isDoubted;
  });
  if (!isOpen) return;
  await (kind === 'payment' ? checkCharge : checkRefund)(scope, id, { resend: true });
}
