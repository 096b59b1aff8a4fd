import type { Language } from '#contract/shapes.ts';
import type { OfficeScope } from '#server/context.ts';
import { describeError } from '#server/kit/log.ts';
import { oneLine } from '#server/kit/look-alike-letters.ts';
import { officeRow } from '#server/office-row.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { applicationById, changeApplication, emailsOfMembers, lockApplication, type ApplicationRow } from './sql.ts';

/** After this many failed tries a notice is given up. */
const mostTries = 5;

/**
 * Emails the members that the practice's application was submitted, and who opened its form: patients' money goes to the bank account that was
 * entered there. Each submission is announced once.
 */
export async function sendSubmissionNotice(scope: OfficeScope, id: string): Promise<void> {
  const { officeId } = scope;
  const row = await scope.transaction((tx) => applicationById(tx, officeId, id));
  if (!row || row.noticeTo.length === 0) return;
  const { office, members } = await scope.transaction(async (tx) => ({
    office: oneLine((await officeRow(tx, officeId)).name),
    members: await emailsOfMembers(tx, officeId),
  }));
  const settled: string[] = [];
  for (const to of row.noticeTo) {
    const language = members.find(({ email }) => email === to)?.language ?? 'en';
    if (await isSettled(scope, row, { to, office, language })) settled.push(to);
  }
  await scope.transaction(async (tx) => {
    const current = await lockApplication(tx, officeId, id);
    const noticeTries = current.noticeTries + 1;
    const noticeTo = noticeTries < mostTries ? current.noticeTo.filter((to) => !settled.includes(to)) : [];
    await changeApplication(tx, current, { noticeTo, noticeTries });
  });
}

/** Emails nobody about this application: the demo's was submitted a month before the demo began. */
export async function skipSubmissionNotice(scope: OfficeScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockApplication(tx, scope.officeId, id);
    await changeApplication(tx, row, { noticeTo: [] });
  });
}

/** Whether nothing is left to do: the email was sent, or its mailbox does not exist. */
async function isSettled(
  scope: OfficeScope,
  row: ApplicationRow,
  { to, office, language }: { to: string; office: string; language: Language },
): Promise<boolean> {
  const { env, providers, officeId, log } = scope;
  const message = messages[language]({
    office,
    product: env.productName,
    openedBy: row.openedBy.map((opener) => `- ${opener}`).join('\n'),
    lastFour: row.bankLastFour,
    url: `${env.publicUrl}/dashboard/settings/live-customer-support`,
  });
  try {
    const reference = `merchant-submitted-${row.id}-${row.submittedAt?.getTime()}`;
    await providers.email.send({ to, ...message, language, aboutOffice: officeId, reference });
    return true;
  } catch (error) {
    if (error instanceof EmailRefused && error.permanent) return true;
    log.warn({ application: row.id, err: describeError(error as Error) }, 'a notice of a submitted application failed');
    return false;
  }
}

interface NoticeDetails {
  office: string;
  product: string;
  openedBy: string;
  lastFour: string | null;
  url: string;
}

const messages: Record<Language, (details: NoticeDetails) => { subject: string; text: string }> = {
  en: ({ office, product, openedBy, lastFour, url }) => ({
    subject: `${office} applied to take card payments`,
    text: [
      `The application of ${office} to take card payments with ${product} was submitted. ${
        lastFour === null
          ? "Patients' payments will go to the bank account that was entered there."
          : `Patients' payments will go to the bank account ending in ${lastFour}.`
      }`,
      ...(openedBy ? [`The application form was opened by:\n${openedBy}`] : []),
      `If your practice agreed to this, you don’t need to do anything. If it did not, contact us right away: ${url}`,
    ].join('\n\n'),
  }),
  es: ({ office, product, openedBy, lastFour, url }) => ({
    subject: `${office} solicitó cobrar con tarjeta`,
    text: [
      `Se envió la solicitud de ${office} para cobrar con tarjeta con ${product}. ${
        lastFour === null
          ? 'Los pagos de los pacientes llegarán a la cuenta bancaria que se indicó allí.'
          : `Los pagos de los pacientes llegarán a la cuenta bancaria que termina en ${lastFour}.`
      }`,
      ...(openedBy ? [`El formulario de la solicitud lo abrió:\n${openedBy}`] : []),
      `Si su consultorio lo acordó, no tiene que hacer nada. Si no, comuníquese con nosotros de inmediato: ${url}`,
    ].join('\n\n'),
  }),
};
