import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { plans } from '#contract/membership.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { advanceDue } from '#server/providers/card/local-accounts.ts';
import { sendCardEvent } from '#server/providers/card/local-callbacks.ts';
import { CardRefused } from '#server/providers/card/port.ts';
import { cardPost, deliverCardEvents, failingCard, goodCard, membershipOf } from '#testing/fixtures/cards.ts';
import { propertyRuns, propertySeed, propertyTimeout } from '#testing/fixtures/property-seed.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { lookAtAll } from './card-events.ts';
import { membershipOperations } from './jobs.ts';
import { saveSubscription, takeTurn } from './sql.ts';

const t = await openTestApp();
t.services.log.level = 'silent';
// Whoever presses in any order for years would use the limits up.
t.services.limits = { ...t.services.limits, take: async () => undefined };
afterAll(() => t.close());

const day = 24 * 60;
const newMembership = async () => membershipOf(t, await t.office());
const eventsOf = (customerId: string) =>
  t.owner.selectFrom('card.event').selectAll().where('customerId', '=', customerId).orderBy('id').execute();
const post = cardPost(t);

test('a renewal reaches the dashboards by the provider’s callback alone', async () => {
  const membership = await newMembership();
  await membership.choose('pilot');
  t.later(15 * day);
  expect(await membership.seen()).toMatchObject({ status: 'trialing' });
  await advanceDue(t.services);
  await deliverCardEvents(t);
  expect(await membership.seen()).toMatchObject({ status: 'paused' });
});

test('without callbacks, a look once a day finds it', async () => {
  const membership = await newMembership();
  await membership.choose('pilot');
  t.later(15 * day);
  await lookAtAll(t.services);
  expect(await membership.seen()).toMatchObject({ status: 'paused' });
});

test('a look that finds nothing new tells no panel, because each panel answers with another look', async () => {
  const office = await t.office();
  const membership = await membershipOf(t, office);
  await membership.choose('pilot');
  const subscription = await membership.read();
  const saved = await t.inOffice(office, async (tx) => {
    const turn = await takeTurn(tx, t.scopeOf(office));
    return saveSubscription(tx, office.id, { turn, subscription, seenAt: t.now() });
  });
  expect(saved).toBe(false);
});

test('callbacks in the wrong order and repeated end in the provider’s state', async () => {
  const membership = await newMembership();
  await membership.saveCard(goodCard);
  await membership.choose('pilot');
  await membership.choose('prime');
  await membership.cancel();
  const events = (await eventsOf(membership.customerId)).toReversed();
  const statuses = await Promise.all([...events, ...events].map((event) => sendCardEvent(t.services, post, event)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await membership.seen()).toEqual(await membership.read());
});

test('a callback that comes while the provider cannot be reached is refused, so that it comes again', async () => {
  const membership = await newMembership();
  await membership.choose('pilot');
  const [event] = await eventsOf(membership.customerId);
  const { card } = t.services.providers;
  const { readCustomer } = card;
  card.readCustomer = () => Promise.reject(new CardRefused('unreachable'));
  const send = () => (event ? sendCardEvent(t.services, post, event) : null);
  expect(await send()).toBe(503);
  card.readCustomer = readCustomer;
  expect(await send()).toBe(200);
});

test('a tampered, unsigned or late callback is refused', async () => {
  const body = JSON.stringify({ key: 'k', type: 'invoice.paid', customerId: 'cus_made_up' });
  const send = (header: string, sent = body) =>
    post('/api/local/card-events', { 'content-type': 'application/json', [signatureHeader]: header }, sent);
  const good = signBody(t.env.secrets.webhook, body, t.now());
  expect(await send(good)).toBe(200); // of a customer that is nobody’s: received, and nothing happens
  expect(await send(good, body.replace('paid', 'void'))).toBe(403);
  expect(await send('')).toBe(403);
  expect(await send(signBody(t.env.secrets.webhook, body, new Date(t.now().getTime() - 301_000)))).toBe(403);
  expect(await post('/api/another/card-events', { [signatureHeader]: good }, body)).toBe(404);
});

test('a callback about a practice that is not here, such as of another installation, is received, and nothing happens', async () => {
  const membership = await newMembership();
  await membership.choose('pilot');
  const { card } = t.services.providers;
  const { readCustomer } = card;
  const elsewhere = t.services.id();
  card.readCustomer = async (id) => {
    const customer = await readCustomer(id);
    return customer && { ...customer, officeId: elsewhere };
  };
  const [event] = await eventsOf(membership.customerId);
  expect(event && (await sendCardEvent(t.services, post, event))).toBe(200);
  card.readCustomer = readCustomer;
});

/** What a person presses that changes something at the provider. A new card also pays what is due. */
const press = fc.oneof(
  fc.record({ press: fc.constant('choose' as const), plan: fc.constantFrom(...plans) }),
  fc.record({ press: fc.constant('cancel' as const) }),
  fc.record({ press: fc.constant('save card' as const), number: fc.constantFrom(goodCard, failingCard) }),
);
type Press = typeof press extends fc.Arbitrary<infer P> ? P : never;

/** What people, time and the network do. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('choose' as const),
    plan: fc.constantFrom(...plans),
    providers: fc.constantFrom(1, 2, 3),
  }),
  fc.record({ do: fc.constant('press twice' as const), first: press }),
  fc.record({ do: fc.constant('press' as const), first: press }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
  // The provider does it, and the answer is lost.
  fc.record({ do: fc.constant('lose the answer' as const), first: press }),
  // The process is killed before or after the provider does it. Somebody else presses next, or the job goes on with it.
  fc.record({
    do: fc.constant('die' as const),
    first: press,
    moment: fc.constantFrom('before' as const, 'after' as const),
    next: fc.option(press, { nil: null }),
  }),
  fc.record({ do: fc.constant('callbacks' as const), seed: fc.nat() }),
);
const runs = propertyRuns(12);

test(
  'no sequence of clicks, lost answers, deaths, callbacks and repeats leaves our state different from the provider’s or charges twice',
  async () => {
    const seed = propertySeed();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const membership = await newMembership();
        for (const next of steps) await run(membership, next);
        t.later(2);
        await resumeOperations(t.services, membershipOperations);
        await advanceDue(t.services);
        const events = await eventsOf(membership.customerId);
        for (const event of events.toReversed()) expect(await sendCardEvent(t.services, post, event)).toBe(200);
        const seen = await membership.seen();
        if (events.length > 0) expect(seen).toEqual(await membership.read());
        await expectNoDoubleCharge(membership.customerId);
      }),
      { numRuns: runs, seed },
    );
  },
  propertyTimeout(60_000, runs),
);

type Membership = Awaited<ReturnType<typeof newMembership>>;

async function run(membership: Membership, next: typeof step extends fc.Arbitrary<infer S> ? S : never) {
  switch (next.do) {
    case 'choose':
      return membership.choose(next.plan, next.providers);
    case 'press':
      return pressOn(membership, next.first);
    case 'press twice':
      return Promise.all([pressOn(membership, next.first), pressOn(membership, next.first)]);
    case 'wait':
      return t.later(next.days * day);
    case 'callbacks': {
      const events = await eventsOf(membership.customerId);
      const shuffled = events.toSorted(
        (a, b) => ((a.id.charCodeAt(30) * next.seed) % 7) - ((b.id.charCodeAt(30) * next.seed) % 7),
      );
      return Promise.all(shuffled.map((event) => sendCardEvent(t.services, post, event)));
    }
    case 'die':
      await dieChanging(next.moment, () => pressOn(membership, next.first));
      t.later(2);
      if (next.next !== null) await pressOn(membership, next.next);
      return resumeOperations(t.services, membershipOperations);
    default: {
      const restore = replaceChanges((call) => async (order) => {
        await call(order);
        throw new Error('the answer was lost');
      });
      await pressOn(membership, next.first);
      restore();
      t.later(2);
      return resumeOperations(t.services, membershipOperations);
    }
  }
}

function pressOn(membership: Membership, what: Press) {
  if (what.press === 'choose') return membership.choose(what.plan);
  return what.press === 'cancel' ? membership.cancel() : membership.saveCard(what.number);
}

type Change = (order: object) => Promise<void>;

/** Replaces each of the provider's changes; returns what puts them back. */
function replaceChanges(replacement: (call: Change) => Change): () => void {
  const { card } = t.services.providers;
  const { start, upgrade, changeAtPeriodEnd, cancel, reactivate, saveCard } = card;
  const changes = { start, upgrade, changeAtPeriodEnd, cancel, reactivate, saveCard };
  const replaced = Object.entries(changes).map(([name, call]) => [name, replacement(call as Change)]);
  Object.assign(card, Object.fromEntries(replaced));
  return () => void Object.assign(card, changes);
}

/** The process that does this work ends before or after the provider's next change: its work stops there for ever. */
async function dieChanging(moment: 'before' | 'after', work: () => Promise<unknown>): Promise<void> {
  let restore = () => {};
  const died = new Promise<void>((resolve) => {
    restore = replaceChanges((call) => async (order) => {
      if (moment === 'after') await call(order).catch(() => undefined);
      resolve();
      return new Promise<never>(() => undefined);
    });
  });
  await Promise.race([work(), died]);
  restore();
}

/** A period of a subscription is charged once, and so is each step up within it. */
async function expectNoDoubleCharge(customerId: string): Promise<void> {
  const invoices = await t.owner
    .selectFrom('card.invoice')
    .select(['lines', 'status'])
    .where('customerId', '=', customerId)
    .execute();
  const charged = invoices.flatMap(({ lines }) =>
    (lines as unknown as { text: object; cents: number }[]).map((line) => JSON.stringify(line.text)),
  );
  const periods = charged.filter((text) => text.includes('"period"'));
  expect(new Set(periods).size).toBe(periods.length);
  const ups = charged.filter((text) => text.includes('"charge"'));
  expect(new Set(ups).size).toBe(ups.length);
}
