import { markedNpi } from '#contract/practice/provisional-npi.ts';
import type { Language } from '#contract/shapes.ts';
import type { Services } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { describeError } from '#server/kit/log.ts';
import { officeRow } from '#server/office-row.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { signInAddressOf, emailsOfStaff, setClaim, takeDueClaims, type ClaimRow } from './npi-claim-sql.ts';

const minute = 60_000;
const batch = 5;

/** Sends due emails about NPI claims; returns true if more may be due. A failed email is retried with a growing delay of up to six hours. */
export async function mailClaims(services: Services): Promise<boolean> {
  const now = services.now();
  const hasOperator = services.env.operatorEmail !== undefined;
  const until = new Date(now.getTime() + 2 * minute);
  const claims = await takeDueClaims(services.db, { now, until, atMost: batch, hasOperator });
  for (const claim of claims) await mailClaim(services, claim);
  return claims.length === batch;
}

async function mailClaim(services: Services, claim: ClaimRow): Promise<void> {
  try {
    await mailOperator(services, claim);
    await mailOffice(services, claim);
    await setClaim(services.db, claim, { takenUntil: null });
  } catch (error) {
    services.log.warn(
      { err: describeError(error as Error), office: claim.officeId },
      'an email about an NPI claim failed and will be retried',
    );
    const wait = Math.min(2 ** claim.tries, 360) * minute;
    await setClaim(services.db, claim, { takenUntil: new Date(services.now().getTime() + wait) });
  }
}

async function mailOperator(services: Services, claim: ClaimRow): Promise<void> {
  const to = services.env.operatorEmail;
  if (claim.operatorMailedAt || to === undefined) return;
  const { name } = await officeOf(services, claim.officeId);
  const asker = await signInAddressOf(services.db, claim.personId);
  const lines = [
    `${asker} tried to register a practice with the NPI ${claim.npi}.`,
    `That NPI belongs to ${name} (office ${claim.officeId}). Nothing was registered.`,
    `If the newcomer is right, see what script/anteroom office show ${claim.npi} says, and get in touch with both.`,
  ];
  const reference = `claim-${claim.personId}-${claim.officeId}`;
  await sendEmail(services, {
    to,
    subject: `NPI ${claim.npi} was claimed by a stranger`,
    text: lines.join('\n\n'),
    reference,
  });
  await setClaim(services.db, claim, { operatorMailedAt: services.now() });
}

async function mailOffice(services: Services, claim: ClaimRow): Promise<void> {
  if (!claim.askedAt || claim.officeMailedAt) return;
  const { name, email, people } = await officeOf(services, claim.officeId);
  const asker = await signInAddressOf(services.db, claim.personId);
  const staffEmails = new Set(people.map((person) => person.email));
  const to = [...people, ...(email && !staffEmails.has(email) ? [{ email, language: 'en' as const }] : [])];
  const reference = `asks-${claim.personId}-${claim.officeId}-${claim.askedAt.getTime()}`;
  const team = `${services.env.publicUrl}/dashboard/settings/team`;
  for (const person of to) {
    const { subject, text } = messages[person.language]({
      asker,
      name,
      npi: claim.npi,
      product: services.env.productName,
      team,
    });
    await sendEmail(services, {
      to: person.email,
      subject,
      text,
      reference,
      aboutOffice: claim.officeId,
      language: person.language,
      ...(asker.includes('@') && { replyTo: asker }),
    });
  }
  await setClaim(services.db, claim, { officeMailedAt: services.now() });
}

const officeOf = (services: Services, officeId: string) =>
  asOffice(services.db, officeId, async (tx) => {
    const { name, email } = await officeRow(tx, officeId);
    return { name, email, people: await emailsOfStaff(tx, officeId) };
  });

/** Ignores a mailbox that does not exist: a retry would email the others again. */
async function sendEmail(
  services: Services,
  mail: Parameters<Services['providers']['email']['send']>[0],
): Promise<void> {
  try {
    await services.providers.email.send(mail);
  } catch (error) {
    if (!(error instanceof EmailRefused && error.permanent)) throw error;
  }
}

interface ClaimDetails {
  asker: string;
  name: string;
  npi: string;
  product: string;
  team: string;
}

const messages: Record<Language, (details: ClaimDetails) => { subject: string; text: string }> = {
  en: ({ asker, name, npi, product, team }) => ({
    subject: `${asker} asks to join ${name}`,
    text: [
      `${asker} wanted to register ${name} (NPI ${markedNpi(npi, 'provisional')}) with ${product}. It is registered already, so they ask to be let in.`,
      `If you know them, invite ${asker} as a colleague: ${team}`,
      'If you do not, you can ignore this: they cannot see anything of your practice.',
    ].join('\n\n'),
  }),
  es: ({ asker, name, npi, product, team }) => ({
    subject: `${asker} pide acceso a ${name}`,
    text: [
      `${asker} quiso registrar ${name} (NPI ${markedNpi(npi, 'provisional')}) en ${product}. Ya está registrado, por lo que pide que le den acceso.`,
      `Si conoce a esta persona, invite a ${asker} como colega: ${team}`,
      'Si no la conoce, puede ignorar este mensaje: no puede ver nada de su consultorio.',
    ].join('\n\n'),
  }),
};
