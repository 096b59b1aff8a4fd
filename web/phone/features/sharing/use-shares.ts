import { useCallback, useEffect, useRef, useState } from 'react';
import { listShares, type Share } from '#contract/sharing.ts';
import { call, CallError } from '#web/kit/call.ts';
import { onHint } from '#web/kit/live.ts';
import { pollMs, startPolling } from '#web/kit/poll.ts';

export interface Shares {
  /** Newest first; null before the first answer. */
  shares: Share[] | null;
  /** Why the last look failed; what was there before stays. */
  failed: CallError | null;
  look: () => void;
  /** Shows a new or a revoked link in the list. */
  show: (share: Share) => void;
}

/** The links of a visit. Follows openings while they happen, reads by itself in case a hint is lost, and when the network is back. */
export function useShares(token: string): Shares {
  const [shares, setShares] = useState<Share[] | null>(null);
  const [failed, setFailed] = useState<CallError | null>(null);
  const asks = useRef(0);
  const look = useCallback(async () => {
    const nth = ++asks.current;
    await call(listShares, { params: { token } }).then(
      (now) => {
        if (nth < asks.current) return;
        setShares(now);
        setFailed(null);
      },
      (error: unknown) => {
        if (!(error instanceof CallError)) throw error;
        if (nth === asks.current) setFailed(error);
      },
    );
  }, [token]);
  useEffect(() => {
    const polling = startPolling(() => look().then(() => pollMs), 0);
    const unhear = onHint(({ type }) => ['share', 'opened', 'refetch'].includes(type) && polling.now());
    return () => {
      unhear();
      polling.stop();
    };
  }, [look]);
  const show = (share: Share) => {
    asks.current++;
    setShares((before) => {
      const others = before ?? [];
      return others.some(({ id }) => id === share.id)
        ? others.map((other) => (other.id === share.id ? share : other))
        : [share, ...others];
    });
  };
  return { shares, failed, look: () => void look(), show };
}
