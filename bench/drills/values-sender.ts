/**
 * Started by the hostile drill: prepares JSON bodies of very many values, sends them for some seconds once told to, and reports how often each
 * status came.
 */
import { once } from 'node:events';
import { lowerPriority } from '#server/kit/workers/lower-priority.ts';

export interface ValuesFlood {
  connections: { url: string; keys: number }[];
  seconds: number;
}

// An attacker has a machine of its own; here it gets what the server and the desk leave.
lowerPriority();
process.once('message', async ({ connections, seconds }: ValuesFlood) => {
  const statuses: Record<string, number> = {};
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.9' };
  const senders = connections.map(({ url, keys }) => ({
    url,
    body: Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [i, {}])))),
  }));
  process.send?.('ready');
  await once(process, 'message');
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    senders.map(async ({ url, body }) => {
      while (performance.now() < until) {
        // The server may close the connection while the body is still being sent: 0.
        const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
        await answer?.arrayBuffer();
        const status = answer?.status ?? 0;
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  process.send?.(statuses, () => process.disconnect());
});
