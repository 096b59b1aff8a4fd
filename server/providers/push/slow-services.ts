import { PushRefused } from './port.ts';

/** `trialWithinMs`: for the one push that tries whether a service answers again. */
const defaults = { answerWithinMs: 10_000, trialWithinMs: 2_000, restMs: 60_000 };
/** One lost packet must not delay everybody's pushes. */
const timeoutsUntilRest = 3;

interface SlowService {
  timeouts: number;
  restsUntil: number;
}

/**
 * Push services that did not answer in time three times in a row. A batch of pushes ends with its slowest, so one service that hangs would
 * delay those of all others by ten seconds again and again. Its own pushes wait a minute; then one of them tries it for two seconds.
 */
export function openSlowServices({ answerWithinMs, trialWithinMs, restMs } = defaults) {
  const slow = new Map<string, SlowService>();
  return {
    /** Sends with a deadline, or throws `away` while the service rests. */
    async send<T>(endpoint: string, send: (deadline: AbortSignal) => Promise<T>): Promise<T> {
      const { host } = new URL(endpoint);
      const { timeouts, restsUntil } = slow.get(host) ?? { timeouts: 0, restsUntil: 0 };
      const restMsLeft = restsUntil - performance.now();
      if (restMsLeft > 0) throw new PushRefused('away', Math.ceil(restMsLeft / 1000));
      const isTrial = timeouts >= timeoutsUntilRest;
      const rest = () => ({ timeouts: timeoutsUntilRest, restsUntil: performance.now() + restMs });
      if (isTrial) slow.set(host, rest());
      const deadline = AbortSignal.timeout(isTrial ? trialWithinMs : answerWithinMs);
      try {
        const answer = await send(deadline);
        slow.delete(host);
        return answer;
      } catch {
        if (deadline.aborted) {
          const count = (slow.get(host)?.timeouts ?? 0) + 1;
          slow.set(host, count < timeoutsUntilRest ? { timeouts: count, restsUntil: 0 } : rest());
        }
        throw new PushRefused('away');
      }
    },
  };
}
