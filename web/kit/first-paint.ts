/** Resolves once the page has drawn its first words: what is fetched from then on keeps nobody waiting for them. */
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

/** A page put into the background at the wrong moment draws nothing. */
const patienceMs = 1_000;
