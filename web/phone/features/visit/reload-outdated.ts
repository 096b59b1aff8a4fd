import { hasUnsaved } from '#web/phone/ui/unsaved.ts';

/** A younger page is not reloaded: while servers are being replaced, one may be older than the page. */
const minAgeMs = 60_000;

/**
 * Reloads the page, which is of an older build, if nothing can be lost by it: no entry and no payment on its way, no form open, and nobody who
 * is touching it right now. The caller knows that no tap waits and that the server answers.
 */
export function reloadIfIdle(): void {
  const isInUse = navigator.userActivation?.isActive || location.pathname.includes('/forms/');
  if (!isInUse && !hasUnsaved() && performance.now() >= minAgeMs) location.reload();
}
