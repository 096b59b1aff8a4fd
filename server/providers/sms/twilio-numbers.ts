import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import {
  claimOrder,
  findOrder,
  insertOrder,
  releaseOrder,
  saveOrder,
  takeOverUnusedOrder,
  unusedOrders,
  type Order,
} from './number-orders-sql.ts';
import type { NumberOrder } from './port.ts';
import { TwilioRefused, type TwilioCalls } from './twilio-calls.ts';
import { parse, pathOf } from './twilio-answers.ts';
import type { TwilioSettings } from './twilio-settings.ts';

export interface NumberContext extends Pick<Services, 'db' | 'id' | 'now'> {
  calls: TwilioCalls;
  settings: TwilioSettings;
  /** The URLs that Twilio calls. */
  addresses: { status: string; inbound: string };
}

const Numbers = z.object({ incoming_phone_numbers: z.array(z.object({ sid: z.string(), phone_number: z.string() })) });
const PurchasedNumber = z.object({ sid: z.string() });
const Available = z.object({ available_phone_numbers: z.array(z.object({ phone_number: z.string() })) });
const Service = z.object({ sid: z.string(), friendly_name: z.nullish(z.string()) });
const ServicePage = z.object({
  services: z.array(Service),
  meta: z.object({ next_page_url: z.nullish(z.string()) }),
});

const waitMs = 25_000;
const leaseMs = 60_000;
const pollMs = 250;
const mostChoices = 5;
/** How long an abandoned purchase may still be running, with the number missing from the account's list. */
const purchaseSettledMs = 120_000;
/** After this time, an abandoned order's number goes to the next practice. */
export const unusedAfterMs = 86_400_000;

/**
 * Rents a number at Twilio and puts it into its own Messaging Service. The chosen number is committed before the purchase, and a number can
 * be bought only once, so after a crash the same order finds it in the account instead of buying another. Two processes never work on the
 * same order at once.
 */
export async function rentTwilioNumber(
  context: NumberContext,
  order: NumberOrder,
  isFree: (number: string) => Promise<boolean>,
): Promise<string> {
  const signal = AbortSignal.timeout(waitMs);
  for (;;) {
    const open = await openOrder(context, order, isFree);
    if (open.readyAt !== null && open.phone !== null) return open.phone;
    const claimed = await claimOrder(context.db, open.id, leaseMs);
    if (claimed) {
      try {
        return await fulfil({ ...context, signal }, claimed, order, isFree);
      } finally {
        await releaseOrder(context.db, claimed.id);
      }
    }
    if (signal.aborted) throw new Error('another process has not finished with this order of a number');
    await pause(pollMs);
  }
}

/** The practice's own order, an abandoned one, or a new one. */
async function openOrder(
  { db, id, now }: NumberContext,
  { key, taken, budgets }: NumberOrder,
  isFree: (number: string) => Promise<boolean>,
): Promise<Order> {
  const known = await findOrder(db, key);
  // Without isFree: this practice may just have been created with this number, and needs no other.
  if (known && (known.readyAt === null || known.phone !== taken)) return known;
  if (known) await saveOrder(db, known.id, { key: null });
  if (!(await takeOverAbandoned(db, key, isFree))) await insertOrder(db, { id: id(), key }, { budgets, at: now() });
  const opened = await findOrder(db, key);
  if (!opened) throw new Error('the order of a number is gone');
  return opened;
}

/** Gives an abandoned order whose number is still free to this practice; false if there is no such order. */
async function takeOverAbandoned(
  db: NumberContext['db'],
  key: string,
  isFree: (number: string) => Promise<boolean>,
): Promise<boolean> {
  for (const unused of await unusedOrders(db, unusedAfterMs)) {
    if (unused.phone !== null && !(await isFree(unused.phone))) await saveOrder(db, unused.id, { key: null });
    else if (await takeOverUnusedOrder(db, unused, key)) return true;
  }
  return false;
}

type Fulfilment = NumberContext & { signal: AbortSignal };

async function fulfil(
  context: Fulfilment,
  order: Order,
  near: NumberOrder,
  isFree: (number: string) => Promise<boolean>,
): Promise<string> {
  const { db } = context;
  const { phone, phoneSid } = await boughtNumber(context, order, near, isFree);
  await saveOrder(db, order.id, { phoneSid });
  const serviceSid =
    order.serviceSid ?? (await findService(context, nameOf(order))) ?? (await makeService(context, order));
  await saveOrder(db, order.id, { serviceSid });
  await attach(context, serviceSid, phoneSid);
  await saveOrder(db, order.id, { ready: true });
  return phone;
}

/** The name of a number and its service at Twilio, for people who look at the account. */
const nameOf = ({ id }: Order) => `Anteroom ${id}`;

async function boughtNumber(
  context: Fulfilment,
  order: Order,
  near: NumberOrder,
  isFree: (number: string) => Promise<boolean>,
): Promise<{ phone: string; phoneSid: string }> {
  const { db } = context;
  const resumed = order.phone;
  let phone = resumed;
  for (let choices = 0; choices < mostChoices; choices++) {
    if (phone === null) {
      const candidate = await chooseNumber(context, near, isFree);
      // Another order has chosen the same number.
      if (!(await saveOrder(db, order.id, { phone: candidate }))) continue;
      phone = candidate;
    }
    const phoneSid = (await ownedNumber(context, phone)) ?? (await buy(context, order, phone));
    if (phoneSid !== null) return { phone, phoneSid };
    if (phone === resumed && (order.chosenMsAgo ?? 0) < purchaseSettledMs)
      throw new Error('a number was ordered a moment ago, and is not in the account yet');
    await saveOrder(db, order.id, { phone: null });
    phone = null;
  }
  throw new Error('no number could be bought: each was taken by somebody else');
}

/** The SID of a number in the account; null if it is not there. */
async function ownedNumber({ calls, settings, signal }: Fulfilment, phone: string): Promise<string | null> {
  const path = `${accountPath(settings)}/IncomingPhoneNumbers.json?${new URLSearchParams({ PhoneNumber: phone }).toString()}`;
  const listed = parse(Numbers, await calls.get({ base: 'apiUrl', path, signal })).incoming_phone_numbers;
  return listed.find(({ phone_number: number }) => number === phone)?.sid ?? null;
}

/** Buys exactly this number; null if it is no longer for sale. Without an answer, the account shows whether it was bought. */
async function buy(context: Fulfilment, order: Order, phone: string): Promise<string | null> {
  const { calls, settings, addresses, signal } = context;
  const form = {
    PhoneNumber: phone,
    FriendlyName: nameOf(order),
    SmsUrl: addresses.inbound,
    SmsMethod: 'POST',
  };
  try {
    const path = `${accountPath(settings)}/IncomingPhoneNumbers.json`;
    return parse(PurchasedNumber, await calls.post({ base: 'apiUrl', path, form, signal })).sid;
  } catch (error) {
    if (error instanceof TwilioRefused && !notForSale.has(error.code ?? 0)) throw error;
    const bought = await ownedNumber({ ...context, signal: AbortSignal.timeout(10_000) }, phone);
    if (bought === null && !(error instanceof TwilioRefused)) throw error;
    return bought;
  }
}

/** The number belongs to somebody else, or already to us. */
const notForSale = new Set([21404, 21421, 21422]);

/** A number for sale near the practice: in its ZIP code, else its state, else anywhere in the country. */
async function chooseNumber(
  { calls, settings, signal }: Fulfilment,
  { state, zip }: NumberOrder,
  isFree: (number: string) => Promise<boolean>,
): Promise<string> {
  const zip5 = /^\d{5}/.exec(zip)?.[0];
  const wishes: Record<string, string>[] = [
    ...(zip5 ? [{ InPostalCode: zip5 }] : []),
    ...(/^[A-Z]{2}$/.test(state) ? [{ InRegion: state }] : []),
    {},
  ];
  for (const wish of wishes) {
    const query = new URLSearchParams({
      ...wish,
      SmsEnabled: 'true',
      ExcludeAllAddressRequired: 'true',
      PageSize: '20',
    });
    const path = `${accountPath(settings)}/AvailablePhoneNumbers/US/Local.json?${query.toString()}`;
    const { available_phone_numbers: available } = parse(Available, await calls.get({ base: 'apiUrl', path, signal }));
    for (const number of shuffled(available.map((one) => one.phone_number))) if (await isFree(number)) return number;
  }
  throw new Error('Twilio has no number for sale');
}

/** Practices that register at the same time see the same numbers. */
const shuffled = (numbers: string[]) =>
  numbers
    .map((number) => ({ number, order: Math.random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ number }) => number);

async function findService({ calls, signal }: Fulfilment, name: string): Promise<string | null> {
  let path: string | null = '/v1/Services?PageSize=1000';
  for (let pages = 0; path !== null; pages++) {
    if (pages === 20) throw new Error('the account has too many Messaging Services');
    const page: z.output<typeof ServicePage> = parse(
      ServicePage,
      await calls.get({ base: 'messagingUrl', path, signal }),
    );
    const found = page.services.find((service) => service.friendly_name === name);
    if (found) return found.sid;
    path = page.meta.next_page_url ? pathOf(page.meta.next_page_url) : null;
  }
  return null;
}

async function makeService({ calls, addresses, signal }: Fulfilment, order: Order): Promise<string> {
  const form = {
    FriendlyName: nameOf(order),
    InboundRequestUrl: addresses.inbound,
    InboundMethod: 'POST',
    // Twilio does not retry. A reply that arrives during a restart is sent to the fallback.
    FallbackUrl: addresses.inbound,
    FallbackMethod: 'POST',
    UseInboundWebhookOnNumber: 'false',
    SmartEncoding: 'false',
    Usecase: 'notifications',
  };
  return parse(Service, await calls.post({ base: 'messagingUrl', path: '/v1/Services', form, signal })).sid;
}

/** Puts the number into the service, once. */
async function attach({ calls, signal }: Fulfilment, serviceSid: string, phoneSid: string): Promise<void> {
  const pool = `/v1/Services/${encodeURIComponent(serviceSid)}/PhoneNumbers`;
  const isIn = () =>
    calls.get({ base: 'messagingUrl', path: `${pool}/${encodeURIComponent(phoneSid)}`, signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof TwilioRefused && error.status === 404) return false;
        throw error;
      },
    );
  if (await isIn()) return;
  try {
    await calls.post({ base: 'messagingUrl', path: pool, form: { PhoneNumberSid: phoneSid }, signal });
  } catch (error) {
    if (!(await isIn())) throw error;
  }
}

const accountPath = ({ accountSid }: TwilioSettings) => `/2010-04-01/Accounts/${accountSid}`;
