import * as z from 'zod/mini';
import { kindOfFinixCall } from '#server/providers/merchant/finix-event.ts';
import type { FinixWebhook } from '#server/providers/merchant/finix-settings.ts';
import { ChargesSignatureInvalid, type ChargesCall } from './port.ts';

const TransferEvent = z.looseObject({
  entity: z.literal('transfer'),
  _embedded: z.looseObject({
    transfers: z.array(
      z.looseObject({
        tags: z.nullish(z.record(z.string(), z.unknown())),
        idempotency_id: z.nullish(z.string()),
      }),
    ),
  }),
});

/** Verifies a callback and returns the operation it is about; null for events about something else and for the test of a new webhook. */
export function readTransferEvent(
  webhook: FinixWebhook | undefined,
  call: ChargesCall,
  now: Date,
): { reference: string } | null {
  const kind = kindOfFinixCall(webhook, webhook?.transfersKey, call, now);
  if (kind === 'foreign') throw new ChargesSignatureInvalid();
  const read = kind === 'event' ? z.safeParse(TransferEvent, parseJson(call.rawBody)) : undefined;
  if (!read?.success) return null;
  const [transfer] = read.data._embedded.transfers;
  const reference = transfer?.tags?.reference ?? transfer?.idempotency_id;
  return typeof reference === 'string' ? { reference: reference.slice(0, 200) } : null;
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return null;
  }
}
