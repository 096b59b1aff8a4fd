import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { readCallback } from './local-callbacks.ts';
import {
  cardById,
  insertEvent,
  insertTransfer,
  lockTransfer,
  reversedCents,
  setBehavior,
  setTransferState,
  transferById,
  transferByReference,
  type LocalTransfer,
} from './local-sql.ts';
import { ChargeRefused, ChargesUnavailable, type Charges, type Transfer } from './port.ts';

type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

/**
 * The local payment provider. It keeps transfers as a vendor would, outside every office, and moves no money. Its card form is
 * local-routes.ts, its callbacks local-callbacks.ts, its test cards test-cards.ts.
 */
export function localCharges(services: Provider): Charges {
  const { db } = services;
  return {
    name: 'local',
    openCardForm: ({ language, amountCents }) =>
      Promise.resolve({ url: `/charges/card?language=${language}&amount=${amountCents}` }),
    charge: ({ reference, merchant, amountCents, source }) =>
      answerFor(
        db.transaction().execute((tx) => addCharge(tx, services, { reference, merchant, amountCents, source })),
      ),
    reverse: ({ reference, merchant, transferId, amountCents }) =>
      answerFor(
        db.transaction().execute((tx) => addReversal(tx, services, { reference, merchant, transferId, amountCents })),
      ),
    async find(reference) {
      const transfer = await transferByReference(db, reference);
      if (transfer?.behavior === 'no-answer') throw new ChargesUnavailable();
      return transfer ? toTransfer(transfer) : null;
    },
    async read(transferId) {
      const transfer = isUuid(transferId) ? await transferById(db, transferId) : undefined;
      if (transfer?.behavior === 'no-answer') throw new ChargesUnavailable();
      return transfer ? toTransfer(transfer) : null;
    },
    readCallback: async (call) => readCallback(services, call),
    dashboardUrl: (merchant) =>
      services.env.demo ? `${services.env.publicUrl}/dev/charges?merchant=${encodeURIComponent(merchant)}` : null,
  };
}

async function addCharge(
  tx: Tx,
  services: Provider,
  order: { reference: string; merchant: string; amountCents: number; source: string },
): Promise<LocalTransfer> {
  const known = await transferByReference(tx, order.reference);
  if (known) return sameOrRefuse(known, known.kind === 'charge');
  const card = isUuid(order.source) ? await cardById(tx, order.source) : undefined;
  if (!card) throw new ChargeRefused('unknown card');
  const state = card.behavior === 'declined' ? 'FAILED' : card.behavior === 'pending' ? 'PENDING' : 'SUCCEEDED';
  return addTransfer(tx, services, {
    ...order,
    kind: 'charge',
    reverses: null,
    state,
    failure: state === 'FAILED' ? 'CARD_DECLINED' : null,
    brand: card.brand,
    last4: card.last4,
    behavior: card.behavior,
  });
}

async function addReversal(
  tx: Tx,
  services: Provider,
  order: { reference: string; merchant: string; transferId: string; amountCents: number },
): Promise<LocalTransfer> {
  const charged = isUuid(order.transferId) ? await lockTransfer(tx, order.transferId) : undefined;
  if (!charged || charged.merchant !== order.merchant || charged.kind !== 'charge')
    throw new ChargeRefused('unknown transfer');
  const known = await transferByReference(tx, order.reference);
  if (known) return sameOrRefuse(known, known.reverses === charged.id);
  if (charged.state !== 'SUCCEEDED') throw new ChargeRefused('transfer not succeeded');
  if ((await reversedCents(tx, charged.id)) + order.amountCents > charged.amountCents)
    throw new ChargeRefused('more than was charged');
  return addTransfer(tx, services, {
    reference: order.reference,
    merchant: order.merchant,
    amountCents: order.amountCents,
    kind: 'reversal',
    reverses: charged.id,
    state: 'SUCCEEDED',
    failure: null,
    brand: charged.brand,
    last4: charged.last4,
    // A reversal of a card that loses answers loses its answer too.
    behavior: charged.behavior,
  });
}

/** A repeated reference is the same operation; one that another operation has is refused. */
function sameOrRefuse(known: LocalTransfer, isSame: boolean): LocalTransfer {
  if (!isSame) throw new ChargeRefused('reference of another transfer');
  return known;
}

async function addTransfer(
  tx: Tx,
  { id, now }: Provider,
  newTransfer: Omit<LocalTransfer, 'id' | 'createdAt' | 'updatedAt'> & { source?: string },
): Promise<LocalTransfer> {
  const { source: _, ...transfer } = newTransfer;
  const at = now();
  const added = await insertTransfer(tx, { ...transfer, id: id(), createdAt: at, updatedAt: at });
  // Two calls at once with one reference: the second finds what the first added.
  if (!added) return (await transferByReference(tx, newTransfer.reference)) as LocalTransfer;
  await insertEvent(tx, { id: id(), transferId: added.id, type: 'transfer.created', at });
  return added;
}

/** Settles a pending transfer, as a bank would after a while; tests and the dashboard of the demo call it. */
export async function settleLocalTransfer(
  services: Provider,
  reference: string,
  state: 'SUCCEEDED' | 'FAILED' | 'CANCELED',
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const transfer = await transferByReference(tx, reference);
    if (transfer?.state !== 'PENDING') return;
    const at = services.now();
    await setTransferState(tx, transfer.id, state, state === 'FAILED' ? 'INSUFFICIENT_FUNDS' : null, at);
    await insertEvent(tx, { id: services.id(), transferId: transfer.id, type: 'transfer.updated', at });
  });
}

/** What the bank does with a transfer, and what this provider then says. For trying out. */
interface TransferPlay {
  reference: string;
  state?: LocalTransfer['state'] | undefined;
  /** False: from now on the provider answers nothing about this transfer and about what is made from it. */
  answers?: boolean | undefined;
  /** How many callbacks it sends about it. */
  reports: number;
}

/** Lets a transfer end in any way, be lost or be found again; false if there is none with this reference. */
export async function playTransfer(services: Provider, { reference, state, answers, reports }: TransferPlay) {
  return services.db.transaction().execute(async (tx) => {
    const transfer = await transferByReference(tx, reference);
    if (!transfer) return false;
    const at = services.now();
    if (answers !== undefined) await setBehavior(tx, transfer.id, answers ? 'ok' : 'no-answer');
    if (state !== undefined)
      await setTransferState(tx, transfer.id, state, state === 'FAILED' ? 'INSUFFICIENT_FUNDS' : null, at);
    for (let i = 0; i < reports; i++)
      await insertEvent(tx, { id: services.id(), transferId: transfer.id, type: 'transfer.updated', at });
    return true;
  });
}

const dashboardReference = 'dashboard.';

/** Gives money back as somebody does in the provider's own dashboard: we learn of it by its callback only. Returns the transfer's id. */
export async function refundAtDashboard(
  services: Provider,
  chargeReference: string,
  amountCents: number,
): Promise<string | null> {
  return services.db.transaction().execute(async (tx) => {
    const charge = await transferByReference(tx, chargeReference);
    if (!charge) return null;
    const { merchant, id: transferId } = charge;
    const reference = `${dashboardReference}${services.id()}`;
    return (await addReversal(tx, services, { reference, merchant, transferId, amountCents })).id;
  });
}

/** A charge that went through fails afterwards, as a bank does that takes its money back; false if there is none, or something of it was given back. */
export async function bounceCharge(services: Provider, reference: string): Promise<boolean> {
  return services.db.transaction().execute(async (tx) => {
    const named = await transferByReference(tx, reference);
    const charge = named && (await lockTransfer(tx, named.id));
    if (charge?.state !== 'SUCCEEDED' || (await reversedCents(tx, charge.id)) > 0) return false;
    const at = services.now();
    await setTransferState(tx, charge.id, 'FAILED', 'BANK_TOOK_IT_BACK', at);
    await insertEvent(tx, { id: services.id(), transferId: charge.id, type: 'transfer.updated', at });
    return true;
  });
}

/** The money has moved when the answer gets lost. */
async function answerFor(made: Promise<LocalTransfer>): Promise<Transfer> {
  const transfer = await made;
  if (transfer.behavior === 'answer-lost' || transfer.behavior === 'no-answer') throw new ChargesUnavailable();
  return toTransfer(transfer);
}

function toTransfer({
  id,
  kind,
  reference,
  reverses,
  state,
  amountCents,
  brand,
  last4,
  failure,
}: LocalTransfer): Transfer {
  return {
    transferId: id,
    kind,
    // A refund of the dashboard has no name of ours.
    reference: reference.startsWith(dashboardReference) ? null : reference,
    reverses,
    state: state === 'CANCELED' ? 'CANCELLED' : state,
    amountCents,
    card: brand && last4 ? { brand, last4 } : null,
    failure,
  };
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
