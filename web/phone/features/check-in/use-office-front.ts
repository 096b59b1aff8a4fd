import { useEffect, useState } from 'react';
import { readOfficeFront, type OfficeFront } from '#contract/patient/check-in.ts';
import { call, CallError } from '#web/kit/call.ts';
import { learnServerTime } from '#web/kit/clock.ts';
import { startPolling, retryDelayMs } from '#web/kit/poll.ts';

/** An office opens, closes, or changes its greeting while the page lies open. */
const refreshMs = 60_000;

export interface Front {
  office: OfficeFront;
  /** The visit this browser has running there. */
  running: { token: string; initial: string | null } | null;
}

export interface OfficeFrontState {
  front: Front | null;
  /** There is no such office. */
  unknown: boolean;
  /** It could not be read yet; it is tried again by itself. */
  failed: boolean;
}

/** An office's greeting and hours: first from the page, then fetched again while the page is open. */
export function useOfficeFront(npi: string, first: Front | null): OfficeFrontState {
  const [now, setNow] = useState<OfficeFrontState>({ front: first, unknown: false, failed: false });
  const [brought] = useState(first);
  useEffect(() => {
    if (brought) learnServerTime(brought.office.now);
    const look = async (signal: AbortSignal) => {
      try {
        const front = await call(readOfficeFront, { params: { npi } }, { signal });
        learnServerTime(front.office.now);
        setNow({ front, unknown: false, failed: false });
        return refreshMs;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.status === 404 || error.status === 400) {
          setNow({ front: null, unknown: true, failed: false });
          return null;
        }
        if (error.status !== 429) setNow((before) => ({ ...before, failed: before.front === null }));
        return retryDelayMs(error);
      }
    };
    const looking = startPolling(look, brought ? refreshMs : 0);
    return looking.stop;
  }, [npi, brought]);
  return now;
}
