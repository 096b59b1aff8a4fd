import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { postToSelf, type Post } from '#server/providers/post-to-self.ts';
import { isSigned, signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { claimDueEvents, expireDue, setReported } from './local-sql.ts';
import { EsignSignatureInvalid, type EsignCall, type EsignEvent } from './port.ts';

type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

const batch = 50;
const tryAgainMs = 5_000;
const givesUpAfterMs = 3 * 86_400_000;

/** The local provider's jobs: expire overdue requests, and repeat each event as a signed call until it is acknowledged. */
export function startLocalEsign(services: Provider & Pick<Services, 'log'>, post: Post = postToSelf(services)): Job[] {
  return [
    runJob('local-esign-events', 500, services.log, () => sendDueEvents(services, post)),
    runJob('local-esign-ends', 60_000, services.log, () => expireDue(services.db, services)),
  ];
}

/** Sends the callbacks that are due; true if more may be due. Two processes never send the same event at once. */
export async function sendDueEvents(services: Provider, post: Post): Promise<boolean> {
  const now = services.now();
  const retryAt = new Date(now.getTime() + tryAgainMs);
  const due = await claimDueEvents(services.db, { now, retryAt, most: batch });
  await Promise.all(
    due.map(async (event) => {
      const status = await sendCallback(services, post, event).catch(() => 0);
      const gaveUp = event.at.getTime() < now.getTime() - givesUpAfterMs;
      if (status !== 200 && !gaveUp) return; // retried when its five seconds are over
      await setReported(services.db, event.id);
    }),
  );
  return due.length === batch;
}

/** Signs and sends the callback of one event. */
export function sendCallback(
  { env, now }: Pick<Services, 'env' | 'now'>,
  post: Post,
  event: { id: string; type: string; requestId: string },
): Promise<number> {
  const body = JSON.stringify({ key: event.id, type: event.type, requestId: event.requestId });
  const headers = { 'content-type': 'application/json', [signatureHeader]: signBody(env.secrets.webhook, body, now()) };
  return post('/api/local/events', headers, body);
}

/** Verifies a callback that `sendCallback` made. */
export function readCallback(
  { env, now }: Pick<Services, 'env' | 'now'>,
  { headers, rawBody }: EsignCall,
): EsignEvent | null {
  const signature = headers[signatureHeader];
  if (!isSigned(env.secrets.webhook, typeof signature === 'string' ? signature : undefined, rawBody, now()))
    throw new EsignSignatureInvalid();
  return readEvent(rawBody);
}

function readEvent(rawBody: Buffer): EsignEvent | null {
  try {
    const { key, type, requestId } = JSON.parse(rawBody.toString('utf8')) as Record<string, unknown>;
    if (typeof key !== 'string' || typeof type !== 'string' || typeof requestId !== 'string') return null;
    return { key: key.slice(0, 200), type: type.slice(0, 60), requestId };
  } catch {
    return null;
  }
}
