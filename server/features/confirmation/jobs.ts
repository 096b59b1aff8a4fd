import { markedNpi } from '#contract/practice/provisional-npi.ts';
import { systemActor, type Services } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { describeError } from '#server/kit/log.ts';
import { limitedPractice } from './limited-practices.ts';
import { operatorPageUrl } from './operator-link.ts';
import { lockConfirmation, setConfirmation, unmailedOfficeIds } from './sql.ts';

const minute = 60_000;
const atOnce = 5;

/** Emails the operator about each limited practice that has signed its agreement. */
export function startConfirmationMails(services: Services): Job {
  return runJob('confirmation-mails', 5_000, services.log, () => mailOperator(services));
}

/** One round; true if more may be due. A failed email is retried with growing pauses of up to six hours. */
export async function mailOperator(services: Services): Promise<boolean> {
  const to = services.env.operatorEmail;
  if (to === undefined) return false;
  const due = await unmailedOfficeIds(services.pool, services.now(), atOnce);
  for (const officeId of due) await mailAbout(services, to, officeId);
  return due.length === atOnce;
}

async function mailAbout(services: Services, to: string, officeId: string): Promise<void> {
  const scope = officeScope(services, officeId, systemActor, 'confirmation-mail');
  const claimed = await scope.transaction(async (tx) => {
    const row = await lockConfirmation(tx, officeId);
    if (!row || row.operatorMailedAt || (row.claimedUntil && row.claimedUntil > services.now())) return null;
    const wait = Math.min(2 ** row.mailTries, 360) * minute;
    const claimedUntil = new Date(services.now().getTime() + Math.max(wait, 2 * minute));
    await setConfirmation(tx, officeId, { claimedUntil, mailTries: row.mailTries + 1 });
    return row;
  });
  if (!claimed) return;
  const { name, npi, address, registeredBy, refCode, listedAs } = await limitedPractice(services, officeId);
  const lines = [
    `${name} (NPI ${markedNpi(npi, 'provisional')}, ${address}) is a new practice. Staff: ${registeredBy}.`,
    ...(refCode === null ? [] : [`Referral code: ${refCode}`]),
    listedAs === null ? 'NPPES lists nothing for this NPI.' : `NPPES lists ${listedAs} for this NPI.`,
    'Until you confirm it, it can only send our standard texts, 50 a day, and use our own forms.',
    `See all new practices and confirm them (the link works for a week): ${operatorPageUrl(services)}`,
    `Or on the server: script/anteroom office confirm ${npi}`,
  ];
  try {
    await services.providers.email.send({
      to,
      subject: `New practice to confirm: NPI ${npi}`,
      text: lines.join('\n\n'),
      reference: `confirm-${officeId}`,
    });
    await scope.transaction((tx) => setConfirmation(tx, officeId, { operatorMailedAt: services.now() }));
  } catch (error) {
    services.log.warn(
      { err: describeError(error as Error), office: officeId },
      'operator not emailed about a new practice',
    );
  }
}
