import { useCallback, useEffect, useRef, useState } from 'react';
import { readEpisode, type Episode } from '#contract/ambulatory/episode.ts';
import type { EndedLink } from '#contract/ended-link.ts';
import { call, CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { pollMs, retryDelayMs, startPolling, type Poller } from '#web/kit/poll.ts';

/** The survey of the day follows consent within seconds: the page looks for it this often, for a minute. */
const soonMs = 4_000;
const soonLooks = 15;

/** The episode of a link while its page is on screen, read again every 20 s, because nothing pushes to this page; `gone` once the link has ended, with whose it was if it ever opened an episode. */
export function useEpisode(token: string) {
  const [episode, setEpisode] = useState<Episode | null>(null);
  const [gone, setGone] = useState<{ link: EndedLink | undefined } | null>(null);
  const poller = useRef<Poller>(undefined);
  const quickLooks = useRef(0);
  /** Shows what an action of the patient answered. */
  const show = useCallback((next: Episode) => {
    setEpisode(next);
    quickLooks.current = soonLooks;
    poller.current?.now();
  }, []);
  useEffect(() => {
    const look = async (signal: AbortSignal) => {
      try {
        const next = await call(readEpisode, { params: { token } }, { signal });
        setEpisode(next);
        if (next.surveys.some(({ day }) => day === next.day)) quickLooks.current = 0;
        return quickLooks.current-- > 0 ? soonMs : pollMs;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.status !== 404 && error.status !== 400) return retryDelayMs(error);
        setGone({ link: error.body.current as EndedLink | undefined });
        return null;
      }
    };
    const started = startPolling(look, 0);
    poller.current = started;
    return started.stop;
  }, [token]);
  const look = useCallback(() => poller.current?.now(), []);
  return { episode, gone, show, look };
}

/** One action of the patient: what the server answered is shown, or why it refused. */
export function useEpisodeAction(onEpisode: (episode: Episode) => void) {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<CallError | null>(null);
  const run = async (send: () => Promise<Episode>) => {
    if (isBusy) return;
    setBusy(true);
    setRefused(null);
    try {
      onEpisode(await send());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRefused(error);
    } finally {
      setBusy(false);
    }
  };
  return { run: (send: () => Promise<Episode>) => void run(send), isBusy, refused };
}

/** Why an action was refused; `offline` if nothing answered. */
export const refusalText = (error: CallError, offline: string): string =>
  error.status === 0 ? offline : refusalMessage(error);
