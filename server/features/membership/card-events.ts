import { systemActor, type Services } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { CardSignatureInvalid, type Card, type CardEvent } from '#server/providers/card/port.ts';
import { refuseWhenAway, syncMembership } from './read-membership.ts';
import { customerOf, insertEvent, isCustomerOf, isEventKnown, membershipOf } from './sql.ts';

/**
 * Receives a callback of the card provider, used only as a hint to look at the customer: so callbacks may come in any order and more than
 * once. If the look fails, the call is refused, and the provider repeats it.
 */
export async function receiveCardEvent(
  services: Services,
  card: string,
  call: Parameters<Card['readCallback']>[0],
  requestId: string,
): Promise<{ received: boolean }> {
  if (card !== services.providers.card.name) throw new Refusal('not_found');
  const event = readEvent(services, call);
  if (!event?.customerId) return { received: true };
  const { customerId } = event;
  const customer = await refuseWhenAway(() => services.providers.card.readCustomer(customerId));
  const { officeId = null } = customer ?? {};
  if (officeId === null || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(officeId)) return { received: true };
  const scope = officeScope(services, officeId, systemActor, requestId);
  const isNew = await scope.transaction(async (tx) => {
    const isOurs = await isCustomerOf(tx, officeId, customerId);
    return isOurs && !(await isEventKnown(tx, officeId, event.key));
  });
  if (!isNew) return { received: true };
  await refuseWhenAway(() => syncMembership(scope));
  await scope.transaction((tx) => insertEvent(tx, scope, { key: event.key, type: event.type }));
  return { received: true };
}

function readEvent(services: Services, call: Parameters<Card['readCallback']>[0]): CardEvent | null {
  try {
    return services.providers.card.readCallback(call);
  } catch (error) {
    if (error instanceof CardSignatureInvalid) throw new Refusal('wrong_signature');
    throw error;
  }
}

const dayMs = 86_400_000;

/** Looks once a day at the customers that no callback was about, for installations that none reaches. */
export async function lookAtAll(services: Services): Promise<void> {
  const before = new Date(services.now().getTime() - dayMs);
  for (const officeId of await officeIds(services.pool)) {
    const isDue = await asOffice(services.db, officeId, async (tx) => {
      if ((await customerOf(tx, officeId)) === null) return false;
      const seen = (await membershipOf(tx, officeId))?.seenAt ?? null;
      return seen === null || seen <= before;
    });
    if (!isDue) continue;
    await syncMembership(officeScope(services, officeId, systemActor, 'membership-look')).catch((error: unknown) =>
      services.log.warn({ office: officeId, err: error }, 'a membership could not be looked at and will be retried'),
    );
  }
}
