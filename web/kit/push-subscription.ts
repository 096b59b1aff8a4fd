/** This browser's service worker and its push subscription, if any. */

const worker = '/sw.js';

/** Whether this browser can get pushes: over HTTPS or on localhost, with a service worker. */
export const supportsPush = () => 'serviceWorker' in navigator && 'PushManager' in window && isSecureContext;

/** The service worker that shows pushes, started if needed. */
export async function startWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(worker, { updateViaCache: 'none' });
  return navigator.serviceWorker.ready;
}

/** Shows a notification in place of an older one. On phones only a service worker can. */
export async function showPushNotification(title: string, body: string): Promise<void> {
  const options = { body, tag: 'arrivals' };
  try {
    const note = new Notification(title, options);
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    const worker = await startWorker();
    await worker.showNotification(title, { ...options, data: { path: `${location.pathname}${location.search}` } });
  }
}

/** The browser's subscription; null if it has none. */
export async function browserSubscription(): Promise<PushSubscription | null> {
  if (!supportsPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration(worker);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Signing out ends this browser's pushes. The server ends them too, so a failure here changes nothing. */
export async function forgetPushes(): Promise<void> {
  await browserSubscription()
    .then((subscription) => subscription?.unsubscribe())
    .catch(() => undefined);
}
