import type { PushReason } from '#contract/push.ts';
import type { Language } from '#contract/shapes.ts';
import type { Services } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { officeRow } from '#server/office-row.ts';
import { PushRefused } from '#server/providers/push/port.ts';
import { claimPushes, completePush, deleteSubscription, postponePush, reasonOfPush, type ClaimedPush } from './sql.ts';

const leaseMs = 30_000;
const atOnce = 20;
/** An older arrival, message or callback is no longer worth a push. */
const worthMinutes = 15;

const titles = {
  arrival: { en: 'New patient waiting', es: 'Nuevo paciente en espera' },
  message: { en: 'New message from a patient', es: 'Nuevo mensaje de un paciente' },
  both: { en: 'New patient waiting, and a new message', es: 'Nuevo paciente en espera y un mensaje nuevo' },
  callback: { en: 'A patient needs a call', es: 'Un paciente necesita una llamada' },
} as const satisfies Record<PushReason, Record<Language, string>>;

/** The page that a push opens, and its topic. */
const places = {
  arrival: { path: '/dashboard', topic: 'arrivals' },
  message: { path: '/dashboard/messages', topic: 'messages' },
  both: { path: '/dashboard', topic: 'arrivals' },
  callback: { path: '/dashboard/patients', topic: 'callbacks' },
} as const satisfies Record<PushReason, { path: string; topic: string }>;

/** Sends pushes about arrivals, patients' messages and callbacks to subscribed browsers. Each of them wakes it; otherwise it runs every five seconds. */
export function startPushes(services: Services): Job {
  const job = runJob('push', 5_000, services.log, () => sendDuePushes(services));
  services.live.onHint(({ type, arrived }) => {
    if (arrived || type === 'push' || type === 'refetch') job.wake();
  });
  return job;
}

/** True if more may be due. */
export async function sendDuePushes(services: Services): Promise<boolean> {
  const due = await claimPushes(services.pool, { now: services.now(), leaseMs, limit: atOnce });
  await Promise.all(due.map((push) => sendOne(services, push)));
  return due.length === atOnce;
}

/** A duplicate is harmless (the browser replaces the note), so it is resent if the outcome is unknown. */
async function sendOne(services: Services, push: ClaimedPush): Promise<void> {
  const { officeId, endpoint, p256dh, auth, language, tries } = push;
  const now = services.now();
  const inOffice = <T>(work: Parameters<typeof asOffice<T>>[2]) => asOffice(services.db, officeId, work);
  if (now.getTime() - push.dueAt.getTime() > worthMinutes * 60_000)
    return inOffice((tx) => completePush(tx, push, null));
  const [{ name }, reason] = await inOffice(
    async (tx) => [await officeRow(tx, officeId), await reasonOfPush(tx, officeId, push.id)] as const,
  );
  const { path, topic } = places[reason];
  try {
    await services.providers.push.send(
      { endpoint, p256dh, auth },
      {
        title: titles[reason][language],
        body: name,
        path: `${path}?office=${officeId}`,
        topic,
        ttlSeconds: worthMinutes * 60,
      },
    );
    await inOffice((tx) => completePush(tx, push, now));
  } catch (error) {
    if (!(error instanceof PushRefused)) throw error;
    const seconds = Math.min(3600, error.retryAfterSeconds ?? Math.min(60, 2 ** Math.min(tries, 6)));
    if (error.why === 'gone') await inOffice((tx) => deleteSubscription(tx, officeId, push.id));
    else if (error.why === 'refused') await inOffice((tx) => completePush(tx, push, null));
    else await inOffice((tx) => postponePush(tx, push, new Date(now.getTime() + seconds * 1000)));
    if (error.why === 'refused') services.log.warn({ subscription: push.id }, 'push service refused a push');
  }
}
