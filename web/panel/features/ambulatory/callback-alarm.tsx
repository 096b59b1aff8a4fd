import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSession } from '#web/kit/session.ts';
import { ringArrival, useSoundAfterFirstClick } from '#web/kit/sound.ts';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { useCallbackCount } from './use-callbacks.ts';

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

/** Rings like an arrival and tells screen readers that a patient needs a call, on every page of the panel. Those of the start do not ring. */
export function CallbackAlarm() {
  const { t } = useLingui();
  const wantsSound = useSession().person?.preferences.sound === true;
  const open = useCallbackCount()?.open;
  const known = useRef<number>(undefined);
  const [news, setNews] = useState(0);
  useSoundAfterFirstClick(wantsSound);
  const compare = useEffectEvent((now: number) => {
    const more = known.current === undefined ? 0 : now - known.current;
    known.current = now;
    setNews(Math.max(0, more));
    if (wantsSound && more > 0) ringArrival();
  });
  useEffect(() => {
    if (open !== undefined) compare(open);
  }, [open]);
  return (
    <VisuallyHidden role="status">
      {news > 0 && t`${plural(news, { one: '# patient needs a call', other: '# patients need a call' })}`}
    </VisuallyHidden>
  );
}
