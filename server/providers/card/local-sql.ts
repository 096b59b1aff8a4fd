import { sql, type Insertable, type Selectable } from 'kysely';
import type { CardCustomer as CustomerTable, CardSubscription as SubscriptionTable, DB } from '#db/tables.ts';
import type { Services } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { nextDue, type LocalInvoice, type LocalSubscription } from './local-engine.ts';
import type { CardInvoice, InvoiceLine, InvoiceStatus } from './port.ts';

/** The local provider's own tables. */

export type CustomerRow = Selectable<CustomerTable>;

/** The customer, locked until the transaction ends: all that happens to one customer happens in order. */
export function lockCustomer(tx: Tx, id: string): Promise<CustomerRow | undefined> {
  return tx
    .selectFrom('card.customer')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Inserts a customer; an operation makes one customer, however often it is repeated. */
export async function insertCustomer(db: Db, customer: Insertable<DB['card.customer']>): Promise<void> {
  await db
    .insertInto('card.customer')
    .values(customer)
    .onConflict((same) => same.column('operationId').doNothing())
    .execute();
}

export async function customerIdOfSubscription(db: Db, subscriptionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('card.subscription')
    .select('customerId')
    .where('id', '=', subscriptionId)
    .executeTakeFirst();
  return row?.customerId;
}

/** Claims an idempotency key; returns the hash of its input if it was used before. */
export async function claimKey(tx: Tx, key: { id: string; inputHash: Buffer; at: Date }): Promise<Buffer | null> {
  const claimed = await tx
    .insertInto('card.operation')
    .values(key)
    .onConflict((same) => same.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (claimed) return null;
  const before = await tx
    .selectFrom('card.operation')
    .select('inputHash')
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow();
  return before.inputHash;
}

export function paymentMethodById(tx: Tx, id: string) {
  return tx.selectFrom('card.paymentMethod').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function setPaymentMethod(tx: Tx, method: Insertable<DB['card.paymentMethod']>): Promise<void> {
  await tx.insertInto('card.paymentMethod').values(method).execute();
  await tx
    .updateTable('card.customer')
    .set({ paymentMethodId: method.id })
    .where('id', '=', method.customerId)
    .execute();
}

export async function insertToken(db: Db, token: Insertable<DB['card.token']>): Promise<void> {
  await db.insertInto('card.token').values(token).execute();
}

/** Uses a token up; undefined if there is none. */
export function takeToken(tx: Tx, tokenHash: Buffer, notBefore: Date) {
  return tx
    .deleteFrom('card.token')
    .where('tokenHash', '=', tokenHash)
    .where('createdAt', '>=', notBefore)
    .returningAll()
    .executeTakeFirst();
}

/** The subscription that began last: a customer has at most one that runs. */
export async function lastSubscription(tx: Tx, customerId: string): Promise<LocalSubscription | null> {
  const row = await tx
    .selectFrom('card.subscription')
    .selectAll()
    .where('customerId', '=', customerId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? toSubscription(row) : null;
}

function toSubscription(row: Selectable<SubscriptionTable>): LocalSubscription {
  const { nextPriceId, nextQuantity, customerId: _, createdAt: _createdAt, dueAt: _dueAt, ...subscription } = row;
  const next = nextPriceId !== null && nextQuantity !== null ? { priceId: nextPriceId, quantity: nextQuantity } : null;
  return { ...subscription, next };
}

/** Writes a new or changed subscription. */
export async function saveSubscription(
  tx: Tx,
  customerId: string,
  { next, id, ...columns }: LocalSubscription,
  createdAt: Date,
): Promise<void> {
  const changes = {
    ...columns,
    nextPriceId: next?.priceId ?? null,
    nextQuantity: next?.quantity ?? null,
    dueAt: nextDue({ next, id, ...columns }),
  };
  await tx
    .insertInto('card.subscription')
    .values({ id, customerId, createdAt, ...changes })
    .onConflict((same) => same.column('id').doUpdateSet(changes))
    .execute();
}

export async function insertInvoice(
  tx: Tx,
  { lines, ...invoice }: LocalInvoice & { id: string; customerId: string; subscriptionId: string; totalCents: number },
): Promise<void> {
  await tx
    .insertInto('card.invoice')
    .values({ ...invoice, lines: JSON.stringify(lines) })
    .execute();
}

/** Moves the end of a trial. */
export async function setTrialEnd(db: Db, id: string, trialEnd: Date): Promise<void> {
  await db
    .updateTable('card.subscription')
    .set({ trialEnd, periodEnd: trialEnd, anchor: trialEnd, dueAt: trialEnd })
    .where('id', '=', id)
    .where('status', '=', 'trialing')
    .execute();
}

/** Moves all dates of a customer's subscriptions and invoices into the past. */
export async function moveIntoPast(tx: Tx, customerId: string, days: number): Promise<void> {
  const earlier = (column: string) => sql<Date>`${sql.ref(column)} - ${days} * interval '24 hours'`;
  await tx
    .updateTable('card.subscription')
    .set({
      // Moved like the others, it would be another day of another month, and the next period a day long.
      anchor: earlier('periodEnd'),
      periodStart: earlier('periodStart'),
      periodEnd: earlier('periodEnd'),
      trialEnd: earlier('trialEnd'),
      retryAt: earlier('retryAt'),
      endedAt: earlier('endedAt'),
      createdAt: earlier('createdAt'),
      dueAt: earlier('dueAt'),
    })
    .where('customerId', '=', customerId)
    .execute();
  const invoices = await tx
    .updateTable('card.invoice')
    .set({ at: earlier('at'), paidAt: earlier('paidAt') })
    .where('customerId', '=', customerId)
    .returning(['id', 'lines'])
    .execute();
  for (const { id, lines } of invoices)
    await tx
      .updateTable('card.invoice')
      .set({ lines: JSON.stringify((lines as unknown as InvoiceLine[]).map((line) => earlierLine(line, days))) })
      .where('id', '=', id)
      .execute();
}

function earlierLine({ text, cents }: InvoiceLine, days: number): InvoiceLine {
  const earlier = (at: string) => new Date(Date.parse(at) - days * 86_400_000).toISOString();
  return { text: { ...text, from: earlier(text.from), to: earlier(text.to) }, cents };
}

/** Ends the open invoices of a subscription. */
export async function endOpenInvoices(
  tx: Tx,
  subscriptionId: string,
  status: Exclude<InvoiceStatus, 'open'>,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('card.invoice')
    .set({ status, paidAt: status === 'paid' ? at : null })
    .where('subscriptionId', '=', subscriptionId)
    .where('status', '=', 'open')
    .execute();
}

const invoiceColumns = ['id', 'number', 'at', 'status', 'totalCents'] as const;
const numberOf = (number: number) => `LOCAL-${String(number).padStart(6, '0')}`;

export async function invoicesOf(db: Db | Tx, customerId: string): Promise<CardInvoice[]> {
  const rows = await db
    .selectFrom('card.invoice')
    .select(invoiceColumns)
    .where('customerId', '=', customerId)
    .orderBy('at', 'desc')
    .orderBy('number', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ id, number, ...invoice }) => ({ invoiceId: id, number: numberOf(number), ...invoice }));
}

/** An invoice of this customer with its lines. */
export async function invoiceById(db: Db, customerId: string, id: string) {
  const row = await db
    .selectFrom('card.invoice')
    .innerJoin('card.customer', 'card.customer.id', 'card.invoice.customerId')
    .select(['card.invoice.number', 'card.invoice.at', 'card.invoice.status', 'totalCents', 'lines', 'name'])
    .where('card.invoice.customerId', '=', customerId)
    .where('card.invoice.id', '=', id)
    .executeTakeFirst();
  return row && { ...row, number: numberOf(row.number), lines: row.lines as unknown as InvoiceLine[] };
}

/** Subscriptions that go on by themselves before this time. */
export async function dueCustomers(db: Db, now: Date, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('card.subscription')
    .select('customerId')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(most)
    .execute();
  return rows.map(({ customerId }) => customerId);
}

/** Adds an event and queues its callback. */
export async function addEvent(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  customerId: string,
  type: string,
): Promise<void> {
  await tx.insertInto('card.event').values({ id: id(), customerId, type, at: now(), reportAt: now() }).execute();
}

/** Claims events whose callback is due: no other process gets them until `retryAt`. */
export function claimDueEvents(db: Db, { now, retryAt, most }: { now: Date; retryAt: Date; most: number }) {
  return db
    .updateTable('card.event')
    .set({ reportAt: retryAt })
    .where('id', 'in', (q) =>
      q
        .selectFrom('card.event')
        .select('id')
        .where('reportAt', '<=', now)
        .orderBy('reportAt')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'customerId', 'type', 'at'])
    .execute();
}

/** Sends no more callbacks of this event. */
export async function setReported(db: Db, id: string): Promise<void> {
  await db.updateTable('card.event').set({ reportAt: null }).where('id', '=', id).execute();
}

/** Deletes tokens that nobody used and keys that nobody can repeat any more. */
export async function forgetOld(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('card.token').where('createdAt', '<', before).execute();
  await db.deleteFrom('card.operation').where('at', '<', before).execute();
}
