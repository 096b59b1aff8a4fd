/** Sends of Send SMS to several people, each with its texts together: how many have gone out, and canceling those that have not. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

/** The newest sends that the outbox shows … */
export const sendsShown = 5;
/** … if they are not older than this, or have texts to go. */
export const sendShownDays = 7;

export const SmsSend = z.object({
  id: z.uuid(),
  startedAt: Instant,
  sentBy: z.string(),
  body: z.string(),
  people: z.int(),
  /** Texts that have left for the carrier; a cancel does not stop these. */
  gone: z.int(),
  failed: z.int(),
  canceled: z.int(),
  /** Texts that have not gone out, the `held` ones among them. */
  toGo: z.int(),
  /** Texts that wait for staff to send or cancel them. */
  held: z.int(),
  /** When the last of those that still go out by themselves does. */
  lastSendAt: z.nullable(Instant),
});
export type SmsSend = z.output<typeof SmsSend>;

export const listSmsSends = endpoint({
  method: 'GET',
  path: '/sms/sends',
  summary: 'The newest sends to several people, with how many texts of each have gone out; without the numbers',
  access: 'office',
  etag: true,
  reply: z.object({ sends: z.array(SmsSend) }),
});

export const cancelSmsSend = endpoint({
  method: 'POST',
  path: '/sms/sends/:sendId/cancel',
  summary:
    'Cancels the texts of a send that have not gone out; the others stay as they are, and are not counted as canceled',
  access: 'office',
  audit: 'text.cancel-send',
  params: z.object({ sendId: z.uuid() }),
  reply: z.object({
    /** How many texts this call canceled. */
    canceled: z.int(),
    send: SmsSend,
  }),
  refusals: ['send_not_found'],
});
