import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import {
  sendClaimedText,
  resolveAbandonedTexts,
  claimDueTexts,
  usualPace,
  type Pace,
  type Worker,
} from './send-texts.ts';

/** Sends due texts, at most `pace.atOnce` at a time, and resolves those of a dead worker. A queued text wakes it; else it runs each second. */
export function startTexting(services: Services, pace: Pace = usualPace): Job {
  const worker: Worker = { name: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`, pace };
  const onTheWay = new Set<Promise<void>>();

  const send = (text: Parameters<typeof sendClaimedText>[2]) => {
    const sending = sendClaimedText(services, worker, text)
      .catch((error: unknown) =>
        services.log.error({ text: text.id, err: error }, 'the outcome of a text could not be saved'),
      )
      .finally(() => {
        onTheWay.delete(sending);
        wakeWhenHalfIsFree();
      });
    onTheWay.add(sending);
  };
  // Under load, claim several texts at once: one claim for each text would double the ledger's work.
  const wakeWhenHalfIsFree = () => {
    if (onTheWay.size <= pace.atOnce / 2) due.wake();
  };
  const due = runJob('texts', 1_000, services.log, async () => {
    const free = pace.atOnce - onTheWay.size;
    if (free > 0) for (const text of await claimDueTexts(services, worker, free)) send(text);
  });
  const left = runJob('texts-left', 2_000, services.log, () => resolveAbandonedTexts(services, worker));
  services.live.onHint(({ type }) => {
    if (type === 'text' || type === 'refetch') wakeWhenHalfIsFree();
  });

  return {
    wake: due.wake,
    async stop() {
      await Promise.all([due.stop(), left.stop()]);
      await Promise.all(onTheWay);
    },
  };
}
