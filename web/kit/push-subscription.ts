/** This browser's service worker and its subscription to pushes, where it has any. */

const worker = '/sw.js';

/** Can this browser be pushed to: over https or on this machine, with a service worker? */
export const canBePushedTo = () => 'serviceWorker' in navigator && 'PushManager' in window && isSecureContext;

/** The service worker that shows pushes, started when it is not yet. */
export async function startWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(worker, { updateViaCache: 'none' });
  return navigator.serviceWorker.ready;
}

/** Shows a note on the screen, in place of an older one. Phones let only a service worker do that. */
export async function showNote(title: string, body: string): Promise<void> {
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

/** The browser's subscription; null when it has none. */
export async function browserSubscription(): Promise<PushSubscription | null> {
  if (!canBePushedTo()) return null;
  const registration = await navigator.serviceWorker.getRegistration(worker);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Signing out ends what this browser is told; the server ends it too, so a failure here changes nothing. */
export async function forgetPushes(): Promise<void> {
  await browserSubscription()
    .then((subscription) => subscription?.unsubscribe())
    .catch(() => undefined);
}
