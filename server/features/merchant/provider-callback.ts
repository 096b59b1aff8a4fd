import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { MerchantSignatureInvalid, type MerchantCall, type MerchantEvent } from '#server/providers/merchant/port.ts';
import { applicationByKey, changeApplication, insertMerchantEvent, officesByMerchantKey } from './sql.ts';
import { syncApplication } from './sync-application.ts';

/**
 * Receives a callback of the payment provider: saved once and used only as a hint to look at the application, so that the order of events
 * does not matter. Accepted also if the look fails: then the job repeats it.
 */
export async function receiveMerchantCallback(
  services: Services,
  provider: string,
  call: MerchantCall,
  requestId: string,
): Promise<{ received: boolean }> {
  if (provider !== services.providers.merchant.name) throw new Refusal('not_found');
  const event = readEvent(services, call);
  for (const about of event?.about ?? [])
    for (const officeId of await officesByMerchantKey(services.pool, provider, about))
      if (event) await processEvent(services, event, { officeId, about }, requestId);
  return { received: true };
}

function readEvent(services: Services, call: MerchantCall): MerchantEvent | null {
  try {
    return services.providers.merchant.readCallback(call);
  } catch (error) {
    if (error instanceof MerchantSignatureInvalid) throw new Refusal('wrong_signature');
    throw error;
  }
}

async function processEvent(
  services: Services,
  event: MerchantEvent,
  { officeId, about }: { officeId: string; about: string },
  requestId: string,
): Promise<void> {
  const scope = officeScope(services, officeId, systemActor, requestId);
  const provider = services.providers.merchant.name;
  const id = await scope.transaction(async (tx) => {
    const row = await applicationByKey(tx, officeId, provider, about);
    if (!row || !(await insertMerchantEvent(tx, scope, row.id, event))) return null;
    await changeApplication(tx, row, { checkAt: services.now() });
    return row.id;
  });
  if (id === null) return;
  await syncApplication(scope, id).catch((error: unknown) =>
    services.log.warn(
      { application: id, err: error },
      'a merchant application could not be checked; it will be retried',
    ),
  );
}
