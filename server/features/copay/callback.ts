import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import {
  ChargesSignatureInvalid,
  ChargesUnavailable,
  type Charges,
  type ChargesCall,
  type ChargesEvent,
} from '#server/providers/charges/port.ts';
import { applyRefundAtProvider, noteDispute } from './provider-news.ts';
import { checkRefund } from './refunds.ts';
import { checkCharge } from './send-charge.ts';
import { paymentById } from './sql.ts';

const reference =
  /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/**
 * Receives a callback of the payment provider. It is only a hint to look at the operation, so repeated calls and any order of them end in
 * the provider's own state. Its reference, which we made, names the office and the operation.
 */
export async function receiveChargeEvent(
  services: Services,
  provider: string,
  call: ChargesCall,
  requestId: string,
): Promise<{ received: boolean }> {
  const { charges } = services.providers;
  if (provider !== charges.name) throw new Refusal('not_found');
  const event = await readCallback(charges, call);
  if (event === null) return { received: true };
  const [, officeId, id] = reference.exec(event.reference ?? '') ?? [];
  if (officeId === undefined || id === undefined || event.dispute) {
    await receiveProviderNews(services, event, requestId).catch((error: unknown) => {
      if (error instanceof ChargesUnavailable) throw new Refusal('merchant_away', undefined, 5);
      throw error;
    });
    return { received: true };
  }
  const scope = officeScope(services, officeId, systemActor, requestId);
  const isPayment = await scope.transaction(async (tx) => (await paymentById(tx, officeId, id)) !== undefined);
  await (isPayment ? checkCharge : checkRefund)(scope, id, { resend: false }).catch((error: unknown) =>
    services.log.warn({ operation: id, err: error }, 'a payment check failed and will be retried'),
  );
  return { received: true };
}

/**
 * About a transfer that has no name of ours: a refund made in the provider's dashboard, or a dispute. The charge names the office. If the provider
 * cannot tell now, the call fails, so that it calls again.
 */
async function receiveProviderNews(
  services: Services,
  { transferId, dispute }: ChargesEvent,
  requestId: string,
): Promise<void> {
  const { charges } = services.providers;
  const transfer = transferId === null ? null : await charges.read(transferId);
  const reversal = transfer?.kind === 'reversal' ? transfer : null;
  const charge = reversal?.reverses ? await charges.read(reversal.reverses) : transfer;
  const [, officeId, id] = reference.exec(charge?.reference ?? '') ?? [];
  if (officeId === undefined || id === undefined) return;
  const scope = officeScope(services, officeId, systemActor, requestId);
  if (dispute) await noteDispute(scope, id, dispute);
  else if (reversal && !reference.test(reversal.reference ?? '')) {
    await bookChargeFirst(scope, id);
    await applyRefundAtProvider(scope, id, reversal);
  }
}

/** What was refunded was charged before, also if a person has said otherwise. If the provider cannot name the charge now, it calls again. */
async function bookChargeFirst(scope: OfficeScope, id: string): Promise<void> {
  const isBooked = async () => {
    const payment = await scope.transaction((tx) => paymentById(tx, scope.officeId, id));
    return !payment || (payment.transferId !== null && payment.state !== 'PENDING' && payment.state !== 'UNKNOWN');
  };
  if (await isBooked()) return;
  await checkCharge(scope, id, { resend: false });
  if (!(await isBooked())) throw new ChargesUnavailable();
}

async function readCallback(charges: Charges, call: ChargesCall) {
  try {
    return await charges.readCallback(call);
  } catch (error) {
    if (error instanceof ChargesSignatureInvalid) throw new Refusal('wrong_signature');
    throw error;
  }
}
