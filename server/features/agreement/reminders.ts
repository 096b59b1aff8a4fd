import type { Language } from '#contract/refusals.ts';
import type { Services, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { settle } from './settle-agreement.ts';
import { latestAgreement } from './sql.ts';
import { reminder } from './reminder-email.ts';

/** The first reminder five days after a practice came, then one every two, four in all. */
const first = '5 days';
const then = '2 days';
const most = 4;
const batch = 50;
const leaseMs = 10 * 60_000;
/** A mailbox that is not reached is tried again so often, then given up for this reminder. */
const tries = 5;

/** Reminds the practices that have not signed; true when more may be due. */
export async function sendDueReminders(services: Services): Promise<boolean> {
  const { rows } = await services.pool.query<{ office_id: string; number: number }>(
    'select * from door_due_agreement_reminders($1, $2, $3, $4, $5)',
    [services.now(), first, then, most, batch],
  );
  let failed = 0;
  for (const { office_id, number } of rows) {
    const scope = officeScope(services, office_id, { kind: 'house', id: null, name: null }, 'agreement-reminder');
    await remind(scope, number).catch((error: unknown) => {
      failed++;
      services.log.warn({ office: office_id, err: error }, 'one reminder waits');
    });
  }
  return rows.length === batch && failed === 0;
}

async function remind(scope: OfficeScope, number: number): Promise<void> {
  if (await signedMeanwhile(scope)) return;
  const claim = await scope.transaction((tx) => claimReminder(tx, scope, number));
  if (!claim) return;
  const { id, to, language, officeName, triesSoFar } = claim;
  const words = reminder[language]({
    product: scope.env.productName,
    office: officeName,
    url: `${scope.env.publicUrl}/`,
    number,
  });
  const isSent = await scope.providers.email
    .send({ to, ...words, language, aboutOffice: scope.officeId, reference: `agreement-reminder-${id}` })
    .then(
      () => true,
      (error: unknown) => {
        // Taken back at once, or not reached: another time. Its reference makes a mail that did arrive the same mail.
        if (triesSoFar < tries && !(error instanceof EmailRefused && error.permanent)) throw error;
        return false;
      },
    );
  await scope.transaction(async (tx) => {
    const now = scope.now();
    await tx
      .updateTable('agreementReminder')
      .set(isSent ? { sentAt: now } : { failedAt: now })
      .where('officeId', '=', scope.officeId)
      .where('id', '=', id)
      .execute();
    await writeAuditEntry(tx, scope, {
      action: 'agreement.remind',
      subject: 'agreement',
      outcome: isSent ? 'done' : 'email_refused',
      details: { number },
    });
  });
}

/** Nobody is reminded of what they have done: the provider is asked first. When it does not answer, we go by what we know. */
async function signedMeanwhile(scope: OfficeScope): Promise<boolean> {
  const latest = await scope.transaction((tx) => latestAgreement(tx, scope.officeId));
  if (latest?.state !== 'open') return false;
  const now = await settle(scope, latest.id).catch(() => latest);
  return now.state === 'signed';
}

interface Claim {
  id: string;
  to: string;
  language: Language;
  officeName: string;
  triesSoFar: number;
}

/** The reminder of this number is this process's for ten minutes; null when it is another's, or nobody can be written to. */
async function claimReminder(tx: Tx, scope: OfficeScope, number: number): Promise<Claim | null> {
  const { officeId } = scope;
  const office = await tx
    .selectFrom('office')
    .select(['name', 'email', 'agreementSignedAt'])
    .where('id', '=', officeId)
    .executeTakeFirstOrThrow();
  const people = await tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .leftJoin('auth.identity as i', (join) => join.onRef('i.personId', '=', 'p.id').on('i.kind', '=', 'email'))
    .select(['p.language', 'i.value'])
    .where('m.officeId', '=', officeId)
    .orderBy('m.createdAt')
    .orderBy('m.id')
    .execute();
  const to = people.find(({ value }) => value !== null)?.value ?? office.email;
  if (office.agreementSignedAt !== null || !to) return null;
  const now = scope.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const claimed = await tx
    .insertInto('agreementReminder')
    .values({ officeId, id: scope.id(), number, toEmail: to, claimedAt: now, leaseUntil })
    .onConflict((conflict) =>
      conflict
        .columns(['officeId', 'number'])
        .doUpdateSet((q) => ({ leaseUntil, tries: q('agreementReminder.tries', '+', 1) }))
        .where('agreementReminder.leaseUntil', '<=', now)
        .where('agreementReminder.sentAt', 'is', null)
        .where('agreementReminder.failedAt', 'is', null),
    )
    .returning(['id', 'toEmail', 'tries'])
    .executeTakeFirst();
  if (!claimed) return null;
  return {
    id: claimed.id,
    to: claimed.toEmail,
    language: people[0]?.language === 'es' ? 'es' : 'en',
    officeName: office.name,
    triesSoFar: claimed.tries,
  };
}
