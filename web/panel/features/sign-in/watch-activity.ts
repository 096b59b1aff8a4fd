const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const tellEveryMs = 60_000;

/**
 * Reports activity at most once a minute, with the seconds since the last input. Only trusted pointer and key events count, not polls
 * or scripts, and none while `isPaused`. Returns a function that stops watching.
 */
export function watchActivity(tell: (secondsAgo: number) => void, isPaused: () => boolean): () => void {
  let touchedAt = 0;
  let toldAt = 0;
  let due: ReturnType<typeof setTimeout> | undefined;

  const tellNow = () => {
    due = undefined;
    toldAt = Date.now();
    tell(Math.min(tellEveryMs, toldAt - touchedAt) / 1000);
  };
  const touched = (event: Event) => {
    if (!event.isTrusted || isPaused()) return;
    touchedAt = Date.now();
    due ??= setTimeout(tellNow, Math.max(0, toldAt + tellEveryMs - touchedAt));
  };

  for (const input of inputs) addEventListener(input, touched, { passive: true, capture: true });
  return () => {
    for (const input of inputs) removeEventListener(input, touched, { capture: true });
    clearTimeout(due);
  };
}
