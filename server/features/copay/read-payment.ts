import type { Payment } from '#contract/copay.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { paymentShown } from './payment-shown.ts';

/** One payment with its refunds. */
export function readPayment(
  ctx: OfficeCtx,
  chargeId: string,
  conditional: ConditionalRequest,
): Promise<VersionedReply<Payment>> {
  return ctx.transaction(async (tx) => {
    const payment = await paymentShown(tx, ctx, chargeId);
    const entry = { action: 'payment.read', subject: payment.visitId, details: { payment: chargeId } } as const;
    return versionedReply(payment, conditional, { onSend: () => writeAuditEntry(tx, ctx, entry) });
  });
}
