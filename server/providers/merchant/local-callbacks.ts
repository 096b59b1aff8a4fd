import type { Services } from '#server/context.ts';
import { isSigned, signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { postToSelf, type Post } from '#server/providers/post-to-self.ts';
import { decideDueForms } from './local-forms.ts';
import { claimDueEvents, setReported } from './local-sql.ts';
import { MerchantSignatureInvalid, type MerchantCall, type MerchantEvent } from './port.ts';

type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

const batch = 50;
const tryAgainMs = 5_000;
const givesUpAfterMs = 86_400_000;

/** The local provider's jobs: end reviews, and repeat each event as a signed call until it is acknowledged. */
export function startLocalMerchant(
  services: Provider & Pick<Services, 'log'>,
  post: Post = postToSelf(services),
): Job[] {
  return [
    runJob('local-merchant-reviews', 1_000, services.log, () => decideDueForms(services)),
    runJob('local-merchant-events', 500, services.log, () => sendDueMerchantEvents(services, post)),
  ];
}

/** Sends the callbacks that are due; true if more may be due. Two processes never send the same event at once. */
export async function sendDueMerchantEvents(services: Provider, post: Post): Promise<boolean> {
  const now = services.now();
  const retryAt = new Date(now.getTime() + tryAgainMs);
  const due = await claimDueEvents(services.db, { now, retryAt, most: batch });
  await Promise.all(
    due.map(async (event) => {
      const status = await sendMerchantCallback(services, post, event).catch(() => 0);
      const gaveUp = event.at.getTime() < now.getTime() - givesUpAfterMs;
      if (status !== 200 && !gaveUp) return; // retried when its five seconds are over
      await setReported(services.db, event.id);
    }),
  );
  return due.length === batch;
}

/** Signs and sends the callback of one event. */
export function sendMerchantCallback(
  { env, now }: Pick<Services, 'env' | 'now'>,
  post: Post,
  event: { id: string; type: string; formId: string },
): Promise<number> {
  const body = JSON.stringify({ key: event.id, type: event.type, formId: event.formId });
  const headers = { 'content-type': 'application/json', [signatureHeader]: signBody(env.secrets.webhook, body, now()) };
  return post('/api/merchant/local/events', headers, body);
}

/** Verifies a callback that `sendMerchantCallback` made. */
export function readCallback(
  { env, now }: Pick<Services, 'env' | 'now'>,
  { headers, rawBody }: MerchantCall,
): MerchantEvent | null {
  const signature = headers[signatureHeader];
  if (!isSigned(env.secrets.webhook, typeof signature === 'string' ? signature : undefined, rawBody, now()))
    throw new MerchantSignatureInvalid();
  return readEvent(rawBody);
}

function readEvent(rawBody: Buffer): MerchantEvent | null {
  try {
    const { key, type, formId } = JSON.parse(rawBody.toString('utf8')) as Record<string, unknown>;
    if (typeof key !== 'string' || typeof type !== 'string' || typeof formId !== 'string') return null;
    return { key: key.slice(0, 200), type: type.slice(0, 60), about: [formId] };
  } catch {
    return null;
  }
}
