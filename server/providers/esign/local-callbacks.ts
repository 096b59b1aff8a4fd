import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { expireDue } from './local-sql.ts';

/** Makes one call to our own callback route; answers its HTTP status. */
export type Post = (path: string, headers: Record<string, string>, body: string) => Promise<number>;
type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

const batch = 50;
const tryAgainMs = 5_000;
const givesUpAfterMs = 3 * 86_400_000;

/** The local provider's clocks: requests beyond their time expire, and every event is told by a signed call until it is heard. */
export function startLocalEsign(services: Provider & Pick<Services, 'log'>, post: Post = postTo(services)): Job[] {
  return [
    runJob('local-esign-events', 500, services.log, () => tellEvents(services, post)),
    runJob('local-esign-ends', 60_000, services.log, () => expireDue(services.db, services)),
  ];
}

/** Tells what is due; true when more may be. Two processes never tell the same event at once. */
export async function tellEvents(services: Provider, post: Post): Promise<boolean> {
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
      const status = await callBack(services, post, event).catch(() => 0);
      const gaveUp = event.at.getTime() < now.getTime() - givesUpAfterMs;
      if (status !== 200 && !gaveUp) return; // told again when its five seconds are over
      await services.db.updateTable('esign.event').set({ reportAt: null }).where('id', '=', event.id).execute();
    }),
  );
  return due.length === batch;
}

/** Signs and makes the call that tells of one event. */
export function callBack(
  { env, now }: Pick<Services, 'env' | 'now'>,
  post: Post,
  event: { id: string; type: string; requestId: string },
): Promise<number> {
  const body = JSON.stringify({ key: event.id, type: event.type, requestId: event.requestId });
  const headers = { 'content-type': 'application/json', [signatureHeader]: signBody(env.secrets.webhook, body, now()) };
  return post('/api/local/events', headers, body);
}

/** Over HTTP to this very process, as a vendor would call us. */
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
