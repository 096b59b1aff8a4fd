const storageKey = 'anteroom.reloaded-at';
const onceInMs = 60_000;

/** A new version took the old page's lazy parts away: load the page afresh, but not in circles. */
export function watchNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < onceInMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
