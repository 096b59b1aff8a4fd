import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { PatientPayment, Payment } from '#contract/copay.ts';
import type { QueueEntry } from '#contract/queue.ts';
import { maple } from './patient-phone.ts';
import { checkInPatient } from './queue-desk.ts';

/** Test cards of the local payment provider. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  /** Stays pending until the bank decides. */
  pending: '4000000000000077',
  /** Nobody learns what became of it. */
  noAnswer: '4000000000000119',
} as const;

/** A visit on which the desk requested a payment. */
interface RequestedPayment {
  name: string;
  visitId: string;
  chargeId: string;
  /** The path of the visit in the text that the patient got: only this link may pay. */
  link: string;
}

/** What a transfer of the local payment provider does: `POST /dev/charges/transfers`. */
interface TransferPlay {
  state?: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
  answers?: boolean;
  reports?: number;
}

/** The payments of Maple, whose desk has this page: requested and paid by calls, and played at the local payment provider. */
export async function paymentsOf(desk: Page) {
  const { origin } = new URL(desk.url());
  const post = async <Answer>(path: string, data: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await desk.request.post(path, { headers: { origin, ...headers }, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as Answer;
  };
  const read = async <Answer>(path: string) => (await (await desk.request.get(path)).json()) as Answer;
  const visitOf = async (name: string) =>
    (await read<QueueEntry[]>('/api/virtual-queue/doctor')).find((visit) => visit.patientName === name)?.id ?? '';
  const { office } = await read<{ office: { id: string } }>('/api/session');
  const payment = (chargeId: string) => read<Payment>(`/api/payments/charges/${chargeId}`);

  const linkIn = async (phone: string) => {
    const texts = await read<{ body: string }[]>(`/dev/outbox.json?to=${encodeURIComponent(phone)}`);
    return texts.map(({ body }) => /\/visit\/[\w-]{20,}/.exec(body)?.[0]).find(Boolean) ?? '';
  };
  return {
    payment,
    /** Requests an amount once more on a visit. */
    async requestAgain(known: RequestedPayment, copay: number): Promise<RequestedPayment> {
      const { chargeId } = await post<Payment>('/api/payments/requests', { visitId: known.visitId, copay });
      return { ...known, chargeId };
    },
    /** A new patient checks in, and the desk requests an amount. */
    async request(firstName: string, copay: number): Promise<RequestedPayment> {
      const { name, phone } = await checkInPatient(desk, firstName);
      const visitId = await visitOf(name);
      const { chargeId } = await post<Payment>('/api/payments/requests', { visitId, copay });
      await expect.poll(() => linkIn(phone), { timeout: 30_000, intervals: [100] }).not.toBe('');
      return { name, visitId, chargeId, link: await linkIn(phone) };
    },
    /** The patient pays with this card. After a failed try this is another payment. */
    async pay(known: RequestedPayment, number: string): Promise<RequestedPayment> {
      const { card } = await post<{ card: string }>('/charges/cards', { number });
      const body = { paymentId: known.chargeId, card };
      return { ...known, chargeId: (await post<PatientPayment>(`/api${known.link}/payment`, body, { cookie: '' })).id };
    },
    /** The desk refunds an amount; returns the refund's id. */
    async refund(chargeId: string, amount: number): Promise<string> {
      const id = randomUUID();
      await post(`/api/payments/charges/${chargeId}/refund`, { id, amount, reason: 'Copay was too high' });
      return id;
    },
    /** Lets a payment or refund end in any way at the payment provider, be lost or be found again. */
    play: (id: string, play: TransferPlay) =>
      post('/dev/charges/transfers', { reference: `${office.id}.${id}`, ...play }),
    /** Lets the practice software refuse payments or lose its answers; null: it records them. */
    athena: (mode: 'refuse' | 'no-answer' | null) => post('/dev/practice-software', { practice: maple, mode }),
    /** Waits until the payment is recorded, refused or without an answer in the practice software. */
    recording: (chargeId: string) =>
      expect.poll(async () => (await payment(chargeId)).recording, { timeout: 20_000, intervals: [200] }),
  };
}
