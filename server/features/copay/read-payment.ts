import type { Payment } from '#contract/copay.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { paymentShown } from './payment-shown.ts';

/** One payment with its refunds. */
export function readPayment(ctx: OfficeCtx, chargeId: string): Promise<Payment> {
  return ctx.transaction(async (tx) => {
    const payment = await paymentShown(tx, ctx, chargeId);
    await writeAuditEntry(tx, ctx, {
      action: 'payment.read',
      subject: payment.visitId,
      details: { payment: chargeId },
    });
    return payment;
  });
}
