/** Resolves after the page's first contentful paint: later requests do not delay it. */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const isHidden = document.visibilityState === 'hidden';
    if (isHidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve();
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
    setTimeout(resolve, patienceMs);
  });
}

/** A page that goes into the background at the wrong moment never paints. */
const patienceMs = 1_000;
