import type { Services } from '#server/context.ts';
import { isSigned, signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { postToSelf, type Post } from '#server/providers/post-to-self.ts';
import { claimDueEvents, deleteCardsBefore, setReported } from './local-sql.ts';
import { ChargesSignatureInvalid, type ChargesCall, type ChargesEvent, type Dispute } from './port.ts';

type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

export const localEventsPath = '/api/payments/charges/events/local';
const batch = 50;
const tryAgainMs = 5_000;
const givesUpAfterMs = 3 * 86_400_000;
const cardLifeMs = 86_400_000;

/** The local payment provider's jobs: repeat each event as a signed call until it is acknowledged, and forget unused cards. */
export function startLocalCharges(
  services: Provider & Pick<Services, 'log'>,
  post: Post = postToSelf(services),
): Job[] {
  return [
    runJob('local-charge-events', 500, services.log, () => sendDueChargeEvents(services, post)),
    runJob('local-charge-cards', 3_600_000, services.log, () =>
      deleteCardsBefore(services.db, new Date(services.now().getTime() - cardLifeMs)),
    ),
  ];
}

/** Sends the callbacks that are due; true if more may be due. */
export async function sendDueChargeEvents(services: Provider, post: Post): Promise<boolean> {
  const now = services.now();
  const due = await claimDueEvents(services.db, {
    now,
    retryAt: new Date(now.getTime() + tryAgainMs),
    most: batch,
  });
  await Promise.all(
    due.map(async (event) => {
      const status = await sendChargeEvent(services, post, event).catch(() => 0);
      const gaveUp = event.at.getTime() < now.getTime() - givesUpAfterMs;
      if (status === 200 || gaveUp) await setReported(services.db, event.id);
    }),
  );
  return due.length === batch;
}

/** Signs and sends the callback of one event. */
export function sendChargeEvent(
  { env, now }: Pick<Services, 'env' | 'now'>,
  post: Post,
  event: { id: string; type: string; reference: string; transferId?: string; dispute?: Dispute },
): Promise<number> {
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', [signatureHeader]: signBody(env.secrets.webhook, body, now()) };
  return post(localEventsPath, headers, body);
}

/** Verifies a callback that `sendChargeEvent` made. */
export function readCallback(
  { env, now }: Pick<Services, 'env' | 'now'>,
  { headers, rawBody }: ChargesCall,
): ChargesEvent | null {
  const signature = headers[signatureHeader];
  if (!isSigned(env.secrets.webhook, typeof signature === 'string' ? signature : undefined, rawBody, now()))
    throw new ChargesSignatureInvalid();
  try {
    const { reference, transferId, dispute } = JSON.parse(rawBody.toString('utf8')) as Record<string, unknown>;
    if (typeof reference !== 'string') return null;
    return {
      reference: reference.slice(0, 200),
      transferId: typeof transferId === 'string' ? transferId : null,
      // Signed by ourselves.
      dispute: (dispute as Dispute | undefined) ?? null,
    };
  } catch {
    return null;
  }
}
