import { useEffect, useEffectEvent, useState } from 'react';
import type { EndedLink } from '#contract/ended-link.ts';
import { readSharedForms, type SharedForms } from '#contract/sharing.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useNow } from '#web/kit/clock.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import type { ShareLink, SharingOffice } from './link-address.ts';

interface Outcome {
  /** With the practice whose forms they were. */
  onExpired: (office: SharingOffice) => void;
  onFailed: (mayTryAgain: boolean) => void;
}

/**
 * What a link shows; null until that is known. It is asked for when somebody looks at the page: not by a preview, which runs no script,
 * nor by a tab that was opened ahead and never seen. Without a network it waits for one.
 */
export function useSharedForms(link: ShareLink | null, { onExpired, onFailed }: Outcome): SharedForms | null {
  const [known, setKnown] = useState<{ token: string; forms: SharedForms } | null>(null);
  const now = useNow();
  const token = link?.token;
  const office = link?.office;
  const fail = useEffectEvent((error: unknown) => handleLinkError(error, { onExpired, onFailed }));

  useEffect(() => {
    if (token === undefined) return;
    const stop = new AbortController();
    const { signal } = stop;
    const ask = () => call(readSharedForms, { query: { token, ...(office && { office }) } }, { signal });
    const look = async () => {
      await untilVisible(signal);
      return retryUntilAnswered(ask, signal);
    };
    look().then(
      (forms) => setKnown({ token, forms }),
      (error: unknown) => {
        if (!signal.aborted) fail(error);
      },
    );
    return () => stop.abort();
  }, [token, office]);

  const forms = token !== undefined && known?.token === token ? known.forms : null;
  const isOver = forms !== null && Date.parse(forms.expiresAt) <= now;
  const expire = useEffectEvent(() => {
    if (forms) onExpired(sharingOfficeOf(forms));
  });
  useEffect(() => {
    if (isOver) expire();
  }, [isOver]);
  return forms;
}

const sharingOfficeOf = ({ officeName, officePhone }: SharingOffice): SharingOffice => ({ officeName, officePhone });

/** Goes to the page that explains why a link does not work. */
export function handleLinkError(error: unknown, { onExpired, onFailed }: Outcome): void {
  if (!(error instanceof CallError)) throw error;
  if (error.status === 410) onExpired(sharingOfficeOf(error.body.current as EndedLink));
  else onFailed(error.status !== 404);
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'visible') return resolve();
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
  });
}
