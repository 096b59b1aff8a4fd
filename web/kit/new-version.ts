const storageKey = 'anteroom.reloaded-at';
const onceInMs = 60_000;

/** Reloads the page when a new version has removed its lazy chunks, but never in a loop. */
export function watchNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < onceInMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
