import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PatientPayment } from '#contract/copay.ts';
import { plans } from '#contract/membership.ts';
import type { Services } from '#server/context.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { localPrices } from '#server/providers/card/local-prices.ts';
import { insertToken, setTrialEnd } from '#server/providers/card/local-sql.ts';
import { insertCard } from '#server/providers/charges/local-sql.ts';
import { bounceCharge, refundAtDashboard, settleLocalTransfer } from '#server/providers/charges/local.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { CardBehavior } from '#server/providers/charges/test-cards.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';
import { drillProvider } from './money-provider-calls.ts';
import { answerToDoList } from './money-to-do.ts';

export interface MoneyOffice {
  id: string;
  npi: string;
  token: string;
  visits: MoneyVisit[];
}

export interface MoneyVisit {
  id: string;
  /** Of a texted link. */
  token: string;
  /** What the desk requested, in cents: each request that a server may have written. */
  requestedCents: number;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}
type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer | null>;

const oneOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
/** Most presses come once; some twice at the same time, in two tabs or by a double click. */
const presses = () => (Math.random() < 0.3 ? 2 : 1);
const cards: readonly CardBehavior[] = [
  ...Array<CardBehavior>(12).fill('ok'),
  ...Array<CardBehavior>(3).fill('answer-lost'),
  'declined',
  'declined',
  'pending',
  'pending',
  // A person has to find out, and often says the opposite.
  ...Array<CardBehavior>(8).fill('no-answer'),
];
const longestCallMs = 20_000;

/**
 * People at work until `stop`: in each office one who changes the plan, one who requests, pays, refunds, voids and records copays, and one who
 * answers the to-do list, sometimes wrongly. `owner` sees all offices.
 */
export function openMoneyDesks(
  { services, owner }: { services: Services; owner: Db },
  offices: readonly MoneyOffice[],
  serverUrl: () => string | null,
) {
  let stopped = false;
  const count = { calls: 0, unanswered: 0, answered: new Map<number, number>(), toDo: 0, wrongly: 0 };

  const sendAs =
    (headers: Record<string, string>): Send =>
    async (method, path, body) => {
      count.calls++;
      const answer = await send(serverUrl(), method, path, headers, body);
      if (answer) count.answered.set(answer.status, (count.answered.get(answer.status) ?? 0) + 1);
      else count.unanswered++;
      return answer;
    };
  /** Presses once or more at the same time; who gets no answer presses again. Returns the last answer. */
  const press = async (work: () => Promise<Answer | null>): Promise<Answer | null> => {
    const answers = await Promise.all(Array.from({ length: presses() }, work));
    const answered = answers.findLast((answer) => answer !== null);
    return answered ?? (Math.random() < 0.7 ? work() : null);
  };
  const work = async (office: MoneyOffice, act: (send: Send) => Promise<unknown>) => {
    const sendRequest = sendAs({ authorization: `Bearer ${office.token}`, 'x-office': office.id });
    while (!stopped) {
      await act(sendRequest);
      await pause(20 + Math.random() * 120);
    }
  };
  const everybody = offices.flatMap((office) => {
    const member = openMember(services, press);
    return [
      work(office, (send) => member(send)),
      work(office, (send) => moveCopay(services, office, { send, patient: sendAs({}), press })),
      work(office, async (send) => {
        await pause(500);
        const { answered, wrongly } = await answerToDoList(owner, office, send, { wrong: 0.8, most: 2 });
        count.toDo += answered;
        count.wrongly += wrongly;
      }),
    ];
  });
  return {
    count,
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(everybody);
    },
  };
}

async function send(
  url: string | null,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer | null> {
  if (url === null) return null;
  try {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(longestCallMs),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  } catch {
    return null;
  }
}

type Press = (work: () => Promise<Answer | null>) => Promise<Answer | null>;

/** Somebody on the Membership page. */
function openMember(services: Services, press: Press): (send: Send) => Promise<unknown> {
  let customerId: string | null = null;
  return async (send) => {
    if (customerId === null) {
      const made = await press(() => send('POST', `/${drillProvider}/create/`, {}));
      customerId = typeof made?.body.customerId === 'string' ? made.body.customerId : null;
      return;
    }
    const customer = customerId;
    const luck = Math.random();
    if (luck < 0.5) {
      const order = { customerId: customer, price: localPrices[oneOf(plans)], providers: randomInt(1, 4) };
      return press(() => send('POST', `/${drillProvider}/plan`, order));
    }
    if (luck < 0.7) {
      const token = newToken();
      const behavior = oneOf(['ok', 'ok', 'charge_declined', 'declined'] as const);
      const visa = { brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2099, behavior };
      await insertToken(services.db, { tokenHash: hashToken(token), createdAt: services.now(), ...visa });
      return press(() => send('POST', `/${drillProvider}/payment/${customer}`, { token, name: 'Dana Whitlock' }));
    }
    const seen = await send('GET', `/${drillProvider}/${customer}`);
    const sub = seen?.body.id;
    if (typeof sub !== 'string') return;
    if (luck < 0.9) return press(() => send('POST', `/${drillProvider}/cancel`, { sub }));
    if (seen?.body.status === 'trialing') return setTrialEnd(services.db, sub, services.now());
  };
}

/** The desk or the patient does something about the copay of one visit; or the bank or the practice software does. */
async function moveCopay(
  services: Services,
  office: MoneyOffice,
  { send, patient, press }: { send: Send; patient: Send; press: Press },
): Promise<unknown> {
  const visit = oneOf(office.visits);
  const luck = Math.random();
  if (luck < 0.04) return setBehavior(services.db, office.npi, oneOf(['refuse', 'no-answer', null, null, null]));
  const page = await patient('GET', `/visit/${visit.token}`);
  if (page?.status !== 200) return;
  const payment = page.body.payment as PatientPayment | null;
  if (!payment || payment.state === 'CANCELLED' || (payment.state === 'SUCCEEDED' && luck < 0.3)) {
    const body = { visitId: visit.id, copay: randomInt(500, 5_000), claims: oneOf([0, 0, 1_200]) };
    return press(async () => {
      const answer = await send('POST', '/payments/requests', body);
      // Without an answer, or after an error, it may have been written.
      if (answer === null || answer.status < 400 || answer.status >= 500)
        visit.requestedCents += body.copay + body.claims;
      return answer;
    });
  }
  const charge = `/payments/charges/${payment.id}`;
  if ((payment.state === 'REQUESTED' || payment.state === 'FAILED') && luck < 0.1)
    return press(() => send('POST', `${charge}/void`, { move: 'withdraw', reason: 'Covered by insurance' }));
  if (payment.state === 'REQUESTED' || payment.state === 'FAILED') {
    // Two tabs: each has a card of its own.
    return press(async () =>
      patient('POST', `/visit/${visit.token}/payment`, { paymentId: payment.id, card: await newCard(services) }),
    );
  }
  if (payment.state === 'PENDING')
    return settleLocalTransfer(
      services,
      `${office.id}.${payment.id}`,
      oneOf(['SUCCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const),
    );
  if (payment.state !== 'SUCCEEDED') return;
  // Behind our back: somebody refunds in the provider's dashboard, or the bank takes the money back.
  if (luck < 0.34) {
    const reference = `${office.id}.${payment.id}`;
    if (luck < 0.31) return bounceCharge(services, reference);
    return refundAtDashboard(services, reference, randomInt(1, payment.amount)).catch(() => null);
  }
  if (luck < 0.6) {
    const body = { id: services.id(), amount: randomInt(1, payment.amount), reason: 'Copay was too high' };
    return press(() => send('POST', `${charge}/refund`, body));
  }
  if (luck < 0.8) return press(() => send('POST', `${charge}/void`, { move: 'void', reason: 'Wrong patient' }));
  return press(() => send('POST', '/payments/athena', { chargeId: payment.id }));
}

async function newCard(services: Services): Promise<string> {
  const id = services.id();
  const behavior = oneOf(cards);
  await insertCard(services.db, { id, brand: 'Visa', last4: '4242', behavior, createdAt: services.now() });
  return id;
}
