import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { expireDue } from './local-sql.ts';

/** Calls our own callback route and returns its HTTP status. */
export type Post = (path: string, headers: Record<string, string>, body: string) => Promise<number>;
type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

const batch = 50;
const tryAgainMs = 5_000;
const givesUpAfterMs = 3 * 86_400_000;

/** The local provider's jobs: expire overdue requests, and repeat each event as a signed call until it is acknowledged. */
export function startLocalEsign(services: Provider & Pick<Services, 'log'>, post: Post = postTo(services)): Job[] {
  return [
    runJob('local-esign-events', 500, services.log, () => sendDueEvents(services, post)),
    runJob('local-esign-ends', 60_000, services.log, () => expireDue(services.db, services)),
  ];
}

/** Sends the callbacks that are due; true if more may be due. Two processes never send the same event at once. */
export async function sendDueEvents(services: Provider, post: Post): Promise<boolean> {
  const now = services.now();
  const due = await services.db
    .updateTable('esign.event')
    .set({ reportAt: new Date(now.getTime() + tryAgainMs) })
    .where('id', 'in', (q) =>
      q
        .selectFrom('esign.event')
        .select('id')
        .where('reportAt', '<=', now)
        .orderBy('reportAt')
        .limit(batch)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'requestId', 'type', 'at'])
    .execute();
  await Promise.all(
    due.map(async (event) => {
      const status = await sendCallback(services, post, event).catch(() => 0);
      const gaveUp = event.at.getTime() < now.getTime() - givesUpAfterMs;
      if (status !== 200 && !gaveUp) return; // retried when its five seconds are over
      await services.db.updateTable('esign.event').set({ reportAt: null }).where('id', '=', event.id).execute();
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

/** Over HTTP to this process, as a vendor would call us. */
function postTo({ env }: Pick<Services, 'env'>): Post {
  const host = env.host === '0.0.0.0' || env.host === '::' ? '127.0.0.1' : env.host;
  return async (path, headers, body) => {
    const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${env.port}${path}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}
