import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';
import { ringArrival, useSoundAfterFirstClick } from '#web/kit/sound.ts';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { createCallbackNews } from './callback-news.ts';
import { useCallbackToasts } from './use-callback-toasts.ts';
import { useCallbackCount } from './use-callbacks.ts';
import { useAskBeforeNotesAreLost } from './use-note-draft.ts';

/** How many callbacks nobody has taken, in the tab of the patient list. */
export function CallbackCount() {
  const { t } = useLingui();
  const open = useCallbackCount()?.open ?? 0;
  if (open === 0) return null;
  return (
    <Counter strong>
      {open}
      <VisuallyHidden> {t`to call back`}</VisuallyHidden>
    </Counter>
  );
}

/** Rings like an arrival and says who needs a call, on every page of the panel. Those of the start do not ring. */
export function CallbackAlarm() {
  const wantsSound = useSession().person?.preferences.sound === true;
  const open = useCallbackCount()?.open;
  const [news] = useState(createCallbackNews);
  useSoundAfterFirstClick(wantsSound);
  useAskBeforeNotesAreLost();
  useCallbackToasts();
  const ring = (isNews: boolean) => {
    if (isNews && wantsSound) ringArrival();
  };
  const compare = useEffectEvent((now: number) => ring(news.count(now)));
  useHints((hint) => ring(news.hint(hint)));
  useEffect(() => {
    if (open !== undefined) compare(open);
  }, [open]);
  return null;
}
