import type { Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { EsignForged, type EsignCall, type EsignEvent } from '#server/providers/esign/port.ts';
import { settle } from './settle-agreement.ts';
import { changeAgreement, keepEvent } from './sql.ts';

/**
 * Hears a callback of the provider: kept once, and taken as a hint to look. The answer is the provider's own words, also when looking
 * fails: then the job looks again.
 */
export async function hearCallback(services: Services, esign: string, call: EsignCall, requestId: string) {
  const provider = services.providers.esign;
  if (esign !== provider.name) throw new Refusal('not_found');
  const event = readEvent(services, call);
  if (event?.requestId) await hearEvent(services, { ...event, requestId: event.requestId }, requestId);
  return provider.callbackReply;
}

function readEvent(services: Services, call: EsignCall): EsignEvent | null {
  try {
    return services.providers.esign.readCallback(call);
  } catch (error) {
    if (error instanceof EsignForged) throw new Refusal('wrong_signature');
    throw error;
  }
}

async function hearEvent(
  services: Services,
  event: EsignEvent & { requestId: string },
  requestId: string,
): Promise<void> {
  const { rows } = await services.pool.query<{ office_id: string; id: string }>(
    'select * from door_agreement_by_request($1, $2)',
    [services.providers.esign.name, event.requestId],
  );
  const found = rows[0];
  if (!found) return;
  const scope = officeScope(services, found.office_id, { kind: 'house', id: null, name: null }, requestId);
  const isNew = await scope.transaction(async (tx) => {
    if (!(await keepEvent(tx, scope, found.id, { key: event.key, type: event.type }))) return false;
    await changeAgreement(tx, found.office_id, found.id, { checkAt: services.now() });
    return true;
  });
  if (!isNew) return;
  await settle(scope, found.id).catch((error: unknown) =>
    services.log.warn({ agreement: found.id, err: error }, 'the agreement is looked at again later'),
  );
}
