import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import type { FinixSettings } from '#server/providers/merchant/finix-settings.ts';
import { finixChargeCalls, FinixNo, FinixSilent, type FinixChargeCalls } from './finix-calls.ts';
import { readTransferEvent } from './finix-event.ts';
import { ChargeRefused, ChargesUnavailable, type Charges, type Transfer, type TransferKind } from './port.ts';

/** The fields we read of Finix's answers; the others may change. */
const CreatedObject = z.looseObject({ id: z.string() });
const Instrument = z.looseObject({
  id: z.string(),
  brand: z.nullish(z.string()),
  last_four: z.nullish(z.string()),
});
const FinixTransfer = z.looseObject({
  id: z.string(),
  type: z.nullish(z.string()),
  state: z.string(),
  amount: z.number(),
  failure_code: z.nullish(z.string()),
  idempotency_id: z.nullish(z.string()),
  tags: z.nullish(z.record(z.string(), z.unknown())),
  _links: z.nullish(z.looseObject({ parent: z.nullish(z.looseObject({ href: z.nullish(z.string()) })) })),
});
type FinixTransfer = z.output<typeof FinixTransfer>;
const Transfers = z.looseObject({
  _embedded: z.optional(z.looseObject({ transfers: z.array(FinixTransfer) })),
});

const quietMs = 60_000;

/**
 * Finix, charging the cards of patients for practices. A card goes from Finix's own form to Finix, and comes here as a token. Tested against
 * its published contract, never against the live service.
 */
export function finixCharges(
  { now, log }: Pick<Services, 'now' | 'log'>,
  settings: FinixSettings,
  patienceMs?: number,
): Charges {
  const calls = finixChargeCalls(settings, patienceMs);
  let alertedAt = 0;

  /** Only the operator can mend this: a key that is not accepted. */
  function alert(error: unknown): void {
    if (!(error instanceof FinixNo) || (error.status !== 401 && error.status !== 403)) return;
    if (Date.now() - alertedAt < quietMs) return;
    alertedAt = Date.now();
    log.error({ alert: 'charges', status: error.status }, 'Finix does not accept our calls: check FINIX_…');
  }

  /** Runs the one call that moves money. One that Finix has seen before is looked up. */
  async function move(kind: TransferKind, reference: string, call: () => Promise<FinixTransfer>): Promise<Transfer> {
    try {
      return toTransfer(await call());
    } catch (error) {
      alert(error);
      if (!(error instanceof FinixNo)) throw new ChargesUnavailable();
      if (!error.isRepeated) throw refusalOf(error);
      const known = await find(reference);
      if (known === null || (known.kind !== null && known.kind !== kind)) throw new ChargesUnavailable();
      return known;
    }
  }

  /** The list is asked by our id, and what it answers must have it: a list that ignores the question says nothing. */
  async function find(reference: string): Promise<Transfer | null> {
    const query = new URLSearchParams({ idempotency_id: reference, limit: '10' });
    try {
      const { _embedded: inside } = await calls.call(Transfers, `/transfers?${query.toString()}`);
      const listed = inside?.transfers ?? [];
      const found = listed.find((one) => referenceOf(one) === reference);
      if (!found && listed.length > 0) throw new FinixSilent();
      return found ? toTransfer(found) : null;
    } catch (error) {
      alert(error);
      throw new ChargesUnavailable();
    }
  }

  return {
    name: 'finix',
    openCardForm: ({ language, amountCents }) =>
      Promise.resolve({ url: `/charges/card?language=${language}&amount=${amountCents}` }),

    async charge({ reference, merchant, amountCents, source, saveSource, signal }) {
      const saved = readSavedCard(source);
      const card =
        saved ??
        (await instrumentOf(calls, source, signal).catch((error: unknown) => {
          alert(error);
          if (error instanceof ChargeRefused) throw error;
          // Nothing is charged yet, whatever became of this, also of a call before: it would have saved the card.
          throw error instanceof FinixNo ? refusalOf(error) : new ChargeRefused('unreachable');
        }));
      if (!saved) await saveSource?.(toSavedCard(card));
      const tags = { reference, ...(card.brand && { brand: card.brand }), ...(card.last4 && { last4: card.last4 }) };
      const order = {
        merchant,
        currency: 'USD',
        amount: amountCents,
        source: card.id,
        idempotency_id: reference,
        tags,
      };
      return move('charge', reference, () => calls.call(FinixTransfer, '/transfers', { body: order, signal }));
    },

    reverse: ({ reference, transferId, amountCents, signal }) =>
      move('reversal', reference, () =>
        calls.call(FinixTransfer, `/transfers/${encodeURIComponent(transferId)}/reversals`, {
          body: { refund_amount: amountCents, idempotency_id: reference, tags: { reference } },
          signal,
        }),
      ),

    find,

    async read(transferId) {
      try {
        return toTransfer(await calls.call(FinixTransfer, `/transfers/${encodeURIComponent(transferId)}`));
      } catch (error) {
        alert(error);
        if (error instanceof FinixNo && error.status === 404) return null;
        throw new ChargesUnavailable();
      }
    },

    readCallback: async (call) => readTransferEvent(settings.webhook, call, now()),
    dashboardUrl: () => settings.dashboardUrl,
  };
}

/** Finix answers with this status if the bank declines the card, and with no other. */
const refusalOf = ({ status, code }: FinixNo) => new ChargeRefused(code, status === 402);

interface Card {
  id: string;
  brand: string | null;
  last4: string | null;
}

/** `PI…`, brand and last four digits of a card whose token is used up. */
const toSavedCard = ({ id, brand, last4 }: Card) => [id, brand ?? '', last4 ?? ''].join('|');

function readSavedCard(source: string): Card | null {
  const [, id, brand, last4] = /^(PI\w{1,60})\|([^|]*)\|(\d*)$/.exec(source) ?? [];
  return id === undefined ? null : { id, brand: brand || null, last4: last4 || null };
}

/** The card behind a token of the form. A token works once, and a card needs a person at Finix, who stays without a name. */
async function instrumentOf({ call }: FinixChargeCalls, token: string, signal: AbortSignal | undefined): Promise<Card> {
  if (!/^TK\w{1,60}$/.test(token)) throw new ChargeRefused('unknown card');
  const { id: identity } = await call(CreatedObject, '/identities', { body: { entity: {} }, signal });
  const body = { type: 'TOKEN', token, identity };
  const { id, brand, last_four } = await call(Instrument, '/payment_instruments', { body, signal });
  return { id, brand: brand ? (brands[brand] ?? 'Card') : null, last4: last_four?.slice(-4) ?? null };
}

const brands: Record<string, string> = {
  AMERICAN_EXPRESS: 'American Express',
  DINERS_CLUB: 'Diners Club',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  MASTERCARD: 'Mastercard',
  VISA: 'Visa',
};

const states: Record<string, Transfer['state']> = {
  PENDING: 'PENDING',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELED: 'CANCELLED',
};

const kinds: Record<string, TransferKind> = { DEBIT: 'charge', REVERSAL: 'reversal' };

const referenceOf = ({ tags, idempotency_id }: FinixTransfer): string | null =>
  typeof tags?.reference === 'string' ? tags.reference : (idempotency_id ?? null);

/** The end of the link to the transfer that this one gives back. */
const parentOf = ({ _links }: FinixTransfer) =>
  /\/transfers\/(TR\w{1,60})$/.exec(_links?.parent?.href ?? '')?.[1] ?? null;

function toTransfer(transfer: FinixTransfer): Transfer {
  const { id, type, state, amount, tags, failure_code } = transfer;
  const { brand, last4 } = tags ?? {};
  return {
    transferId: id,
    kind: kinds[type ?? ''] ?? null,
    reference: referenceOf(transfer),
    ...(kinds[type ?? ''] === 'reversal' && { reverses: parentOf(transfer) }),
    state: states[state] ?? 'UNKNOWN',
    amountCents: amount,
    card: typeof brand === 'string' && typeof last4 === 'string' ? { brand, last4 } : null,
    failure: state === 'FAILED' ? (failure_code ?? 'FAILED').slice(0, 100) : null,
  };
}
