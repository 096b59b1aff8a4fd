import * as z from 'zod/mini';
import { kindOfFinixCall } from '#server/providers/merchant/finix-event.ts';
import type { FinixWebhook } from '#server/providers/merchant/finix-settings.ts';
import { ChargesSignatureInvalid, type ChargesCall, type ChargesEvent } from './port.ts';

const TransferEvent = z.looseObject({
  entity: z.literal('transfer'),
  _embedded: z.looseObject({
    transfers: z.array(
      z.looseObject({
        id: z.nullish(z.string()),
        tags: z.nullish(z.record(z.string(), z.unknown())),
        idempotency_id: z.nullish(z.string()),
      }),
    ),
  }),
});

/** The vendor documents this event, but not in the published file. */
const DisputeEvent = z.looseObject({
  entity: z.literal('dispute'),
  _embedded: z.looseObject({
    disputes: z.array(
      z.looseObject({
        id: z.string(),
        transfer: z.string(),
        amount: z.int().check(z.minimum(1)),
        state: z.string(),
      }),
    ),
  }),
});

const longestId = 100;

/** Verifies a callback and returns what it is about; null for events about something else and for the test of a new webhook. */
export function readTransferEvent(
  webhook: FinixWebhook | undefined,
  call: ChargesCall,
  now: Date,
): ChargesEvent | null {
  const kind = kindOfFinixCall(webhook, webhook?.transfersKey, call, now);
  if (kind === 'foreign') throw new ChargesSignatureInvalid();
  if (kind !== 'event') return null;
  const body = parseJson(call.rawBody);
  const read = z.safeParse(TransferEvent, body);
  if (!read.success) return readDispute(body);
  const [transfer] = read.data._embedded.transfers;
  if (!transfer) return null;
  const reference = transfer.tags?.reference ?? transfer.idempotency_id;
  return {
    reference: typeof reference === 'string' ? reference.slice(0, 200) : null,
    transferId: transfer.id?.slice(0, longestId) ?? null,
    dispute: null,
  };
}

function readDispute(told: unknown): ChargesEvent | null {
  const read = z.safeParse(DisputeEvent, told);
  const [dispute] = read.success ? read.data._embedded.disputes : [];
  if (!dispute) return null;
  const { id, transfer, amount, state } = dispute;
  return {
    reference: null,
    transferId: transfer.slice(0, longestId),
    dispute: { id: id.slice(0, longestId), amountCents: amount, state: state.slice(0, 40) },
  };
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return null;
  }
}
