import type { Services } from '#server/context.ts';
import { sendCardEvent } from '#server/providers/card/local-callbacks.ts';
import * as card from '#server/providers/card/local-sql.ts';
import { sendChargeEvent } from '#server/providers/charges/local-callbacks.ts';
import * as charges from '#server/providers/charges/local-sql.ts';
import { drillProvider } from './money-provider-calls.ts';

/** Posts to a server; returns its HTTP status, 0 if there was no answer. */
export type PostCallback = (path: string, headers: Record<string, string>, body: string) => Promise<number>;

const most = 100;

/**
 * Sends the callbacks that are due, as providers do that keep no order: `late` is the share that is put off, `again` the share that is sent
 * twice at once, and once more later. Returns how many were sent.
 */
export async function sendCallbacks(
  services: Services,
  toServer: PostCallback,
  { late, again }: { late: number; again: number },
): Promise<number> {
  const now = services.now();
  const retryAt = new Date(now.getTime() + 5_000 + Math.random() * 40_000);
  const post: PostCallback = (path, headers, body) => toServer(path.replace('local', drillProvider), headers, body);
  const [ofCards, ofCharges] = await Promise.all([
    card.claimDueEvents(services.db, { now, retryAt, most }),
    charges.claimDueEvents(services.db, { now, retryAt, most }),
  ]);
  const due = [
    ...ofCards.map((event) => ({
      send: () => sendCardEvent(services, post, event),
      end: () => card.setReported(services.db, event.id),
    })),
    ...ofCharges.map((event) => ({
      send: () => sendChargeEvent(services, post, event),
      end: () => charges.setReported(services.db, event.id),
    })),
  ];
  const chosen = due.filter(() => Math.random() >= late);
  const shuffled = chosen.map((event) => ({ event, at: Math.random() })).sort((a, b) => a.at - b.at);
  const sent = await Promise.all(
    shuffled.map(async ({ event }) => {
      const repeats = Math.random() < again;
      const statuses = await Promise.all(Array.from({ length: repeats ? 2 : 1 }, () => event.send().catch(() => 0)));
      if (!repeats && statuses.includes(200)) await event.end();
      return statuses.length;
    }),
  );
  return sent.reduce((sum, times) => sum + times, 0);
}
