import { noteVisitorWriting } from '#contract/website-chat.ts';
import { call } from '#web/kit/call.ts';

/** "Writing..." is shown this long after the last sign of it. */
const shownMs = 5_000;
const tellEveryMs = 3_000;

/** Shows that the practice is writing, until nothing was heard of it for a while. */
export function followWriting(show: (isWriting: boolean) => void) {
  let ends: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(ends);
    show(false);
  };
  return {
    heard() {
      clearTimeout(ends);
      ends = setTimeout(stop, shownMs);
      show(true);
    },
    stop,
    /** The page is gone: nothing is shown any more. */
    end: () => clearTimeout(ends),
  };
}

/** Tells the desks that the visitor is writing, every few seconds at most. */
export function tellWriting(): () => void {
  let toldAt = -tellEveryMs;
  return () => {
    const now = performance.now();
    if (now - toldAt < tellEveryMs) return;
    toldAt = now;
    void call(noteVisitorWriting).catch(() => undefined);
  };
}
