/*
 * Shows pushes while the panel is closed or behind other windows. It keeps no files and answers no requests: the panel needs its server.
 * A push names no patient and quotes no message.
 */
const spoken = navigator.language.startsWith('es') ? 'Nuevo paciente esperando' : 'New patient waiting';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const panels = async () => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => new URL(url).pathname.startsWith('/dashboard'));
};

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

async function show(data) {
  // Whoever looks at the panel sees it there.
  if ((await panels()).some((panel) => panel.focused)) return;
  let note = {};
  try {
    note = data?.json() ?? {};
  } catch {
    // Without words it is still an arrival.
  }
  const { title = spoken, body = '', path = '/dashboard' } = note;
  // A newer note replaces an older one of its kind: a message's leads to the inbox, a callback's to the patients after surgery.
  const { pathname } = new URL(path, self.location.origin);
  const tag = { '/dashboard/messages': 'messages', '/dashboard/patients': 'callbacks' }[pathname] ?? 'arrivals';
  await self.registration.showNotification(title, { body, tag, renotify: true, data: { path } });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? '/dashboard'));
});

/** The tab that shows this office, else any without a choice of office, else a new one. */
async function open(path) {
  const wanted = new URL(path, self.location.origin);
  if (wanted.origin !== self.location.origin) return;
  const officeOf = (url) => new URL(url).searchParams.get('office');
  const all = await panels();
  const panel =
    all.find(({ url }) => officeOf(url) === officeOf(wanted)) ?? all.find(({ url }) => officeOf(url) === null);
  if (panel) await panel.focus();
  else await self.clients.openWindow(wanted.href);
}
