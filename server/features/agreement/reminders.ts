import type { Language } from '#contract/shapes.ts';
import { systemActor, type Services, type OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { syncAgreement } from './sync-agreement.ts';
import { officeRow } from '#server/office-row.ts';
import { dueReminders, leaseReminder, saveReminderOutcome, staffContacts } from './reminder-sql.ts';
import { latestAgreement } from './sql.ts';
import { reminderEmail } from './reminder-email.ts';

/** The first reminder is due five days after registration, then one every two days, four in all. */
const firstDelay = '5 days';
const nextDelay = '2 days';
const maxReminders = 4;
const batch = 50;
const leaseMs = 10 * 60_000;
/** After this many failed tries a reminder is given up. */
const maxTries = 5;

/** Reminds the practices that have not signed; returns true if more may be due. */
export async function sendDueReminders(services: Services): Promise<boolean> {
  const due = await dueReminders(services.pool, {
    now: services.now(),
    firstDelay,
    nextDelay,
    maxReminders,
    limit: batch,
  });
  let failed = 0;
  for (const { officeId, number } of due) {
    const scope = officeScope(services, officeId, systemActor, 'agreement-reminder');
    await sendReminder(scope, number).catch((error: unknown) => {
      failed++;
      services.log.warn({ office: officeId, err: error }, 'a reminder failed and will be retried');
    });
  }
  return due.length === batch && failed === 0;
}

async function sendReminder(scope: OfficeScope, number: number): Promise<void> {
  if (await isSignedMeanwhile(scope)) return;
  const claim = await scope.transaction((tx) => claimReminder(tx, scope, number));
  if (!claim) return;
  const { id, to, language, officeName, triesSoFar } = claim;
  const message = reminderEmail[language]({
    product: scope.env.productName,
    office: officeName,
    url: `${scope.env.publicUrl}/`,
    number,
  });
  const isSent = await scope.providers.email
    .send({ to, ...message, language, aboutOffice: scope.officeId, reference: `agreement-reminder-${id}` })
    .then(
      () => true,
      (error: unknown) => {
        // Retried later. The same reference keeps a mail that did arrive from being sent twice.
        if (triesSoFar < maxTries && !(error instanceof EmailRefused && error.permanent)) throw error;
        return false;
      },
    );
  await scope.transaction(async (tx) => {
    const now = scope.now();
    await saveReminderOutcome(tx, scope.officeId, id, isSent ? { sentAt: now } : { failedAt: now });
    await writeAuditEntry(tx, scope, {
      action: 'agreement.remind',
      subject: 'agreement',
      outcome: isSent ? 'done' : 'email_refused',
      details: { number },
    });
  });
}

/** Checks at the provider whether the office signed. If it does not answer, the saved state counts. */
async function isSignedMeanwhile(scope: OfficeScope): Promise<boolean> {
  const latest = await scope.transaction((tx) => latestAgreement(tx, scope.officeId));
  if (latest?.state !== 'open') return false;
  const now = await syncAgreement(scope, latest.id).catch(() => latest);
  return now.state === 'signed';
}

interface ReminderClaim {
  id: string;
  to: string;
  language: Language;
  officeName: string;
  triesSoFar: number;
}

/** Claims reminder `number` for this process for ten minutes. Null if another process holds it, the office has signed, or has no email address. */
async function claimReminder(tx: Tx, scope: OfficeScope, number: number): Promise<ReminderClaim | null> {
  const { officeId } = scope;
  const office = await officeRow(tx, officeId);
  const staff = await staffContacts(tx, officeId);
  const to = staff.find(({ email }) => email !== null)?.email ?? office.email;
  if (office.agreementSignedAt !== null || !to) return null;
  const now = scope.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const claimed = await leaseReminder(tx, {
    officeId,
    id: scope.id(),
    number,
    toEmail: to,
    claimedAt: now,
    leaseUntil,
  });
  if (!claimed) return null;
  return {
    id: claimed.id,
    to: claimed.toEmail,
    language: staff[0]?.language ?? 'en',
    officeName: office.name,
    triesSoFar: claimed.tries,
  };
}
