import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { EsignSignatureInvalid, type EsignCall, type EsignEvent } from '#server/providers/esign/port.ts';
import { syncAgreement } from './sync-agreement.ts';
import { agreementByRequest, changeAgreement, insertEvent } from './sql.ts';

/**
 * Receives a callback of the provider: saved once and used only as a hint to check the agreement. Returns the reply the provider
 * expects, also if the check fails: then the job retries it.
 */
export async function receiveCallback(services: Services, esign: string, call: EsignCall, requestId: string) {
  const provider = services.providers.esign;
  if (esign !== provider.name) throw new Refusal('not_found');
  const event = readEvent(services, call);
  if (event?.requestId) await processEvent(services, { ...event, requestId: event.requestId }, requestId);
  return provider.callbackReply;
}

function readEvent(services: Services, call: EsignCall): EsignEvent | null {
  try {
    return services.providers.esign.readCallback(call);
  } catch (error) {
    if (error instanceof EsignSignatureInvalid) throw new Refusal('wrong_signature');
    throw error;
  }
}

async function processEvent(
  services: Services,
  event: EsignEvent & { requestId: string },
  requestId: string,
): Promise<void> {
  const agreement = await agreementByRequest(services.pool, services.providers.esign.name, event.requestId);
  if (!agreement) return;
  const { officeId, id } = agreement;
  const scope = officeScope(services, officeId, systemActor, requestId);
  const isNew = await scope.transaction(async (tx) => {
    if (!(await insertEvent(tx, scope, id, { key: event.key, type: event.type }))) return false;
    await changeAgreement(tx, officeId, id, { checkAt: services.now() });
    return true;
  });
  if (!isNew) return;
  await syncAgreement(scope, id).catch((error: unknown) =>
    services.log.warn({ agreement: id, err: error }, 'an agreement check failed and will be retried'),
  );
}
