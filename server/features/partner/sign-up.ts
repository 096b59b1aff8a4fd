import { partnerKey, wrongDetails, type PartnerDetails } from '#contract/partner.ts';
import { wrongTexts } from '#contract/practice/registration.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx, PersonCtx } from '#server/context.ts';
import { registerInTransaction, type Registrant } from '#server/features/registration/index.ts';
import { sendFeatureCode, signInForFeature } from '#server/features/sign-in/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requirePartner } from './brand.ts';
import { forgetApplicationsOf, upsertApplication, newestApplication, officesOf, ownEmail } from './sql.ts';

interface CodeSent {
  expiresAt: string;
  resendAfterSeconds: number;
}

/** Keeps what the practice typed and sends the code. Whether the address is known cannot be told from the answer. */
export async function startSignUp(ctx: AnyoneCtx, partner: string, given: PartnerDetails): Promise<CodeSent> {
  requirePartner(partner);
  const details = validDetails(ctx, given);
  const sent = await sendFeatureCode(ctx, 'partner', details.email);
  await upsertApplication(ctx.db, { partner: partnerKey, email: details.email, details, at: ctx.now() });
  return sent;
}

export async function resendCode(ctx: AnyoneCtx, partner: string, email: string): Promise<CodeSent> {
  requirePartner(partner);
  return sendFeatureCode(ctx, 'partner', email);
}

/**
 * With the right code the account and the unsigned office are made, and the person is signed in. Who comes back before their agreement
 * is signed goes on with the office they have; an address that any other office goes by is refused.
 */
export async function confirmSignUp(
  ctx: AnyoneCtx,
  partner: string,
  { code, bearer = false, ...given }: PartnerDetails & { code: string; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  requirePartner(partner);
  const details = validDetails(ctx, given);
  return signInForFeature(ctx, { purpose: 'partner', email: details.email, code, bearer }, async (tx, who) => {
    const offices = await officesOf(tx, who.personId);
    if (offices.some(({ onboardingType, isSigned }) => onboardingType !== partnerKey || isSigned))
      return 'email_in_use';
    const registrant = { ...who, requestId: ctx.requestId, language: ctx.language };
    if (offices.length === 0) await registerPartnerOffice(tx, ctx, registrant, details);
    await forgetApplicationsOf(tx, partnerKey, who.personId);
    return null;
  });
}

/** What the person typed on whatever machine and did not finish: found by an address they have proved to be theirs. */
export async function readApplication(ctx: PersonCtx, partner: string): Promise<PartnerDetails | null> {
  requirePartner(partner);
  return newestApplication(ctx.db, partnerKey, ctx.caller.personId);
}

/** Keeps it as it stands. Who signs in by phone alone has no address to keep it under. */
export async function saveApplication(
  ctx: PersonCtx,
  partner: string,
  details: PartnerDetails,
): Promise<{ kept: boolean }> {
  requirePartner(partner);
  const email = await ownEmail(ctx.db, ctx.caller.personId);
  if (email === null) return { kept: false };
  await upsertApplication(ctx.db, { partner, email, details, at: ctx.now() });
  return { kept: true };
}

const perPerson = { name: 'partner-location', points: 60, seconds: 3600 };

/** Registers an office for who is signed in: the first, or another location. */
export async function addLocation(
  ctx: PersonCtx,
  partner: string,
  given: PartnerDetails,
): Promise<{ officeId: string }> {
  requirePartner(partner);
  const details = validDetails(ctx, given);
  const { personId, personName } = ctx.caller;
  await ctx.limits.take(perPerson, personId);
  const who = { personId, personName, requestId: ctx.requestId, language: ctx.language };
  const officeId = await ctx.db.transaction().execute(async (tx) => {
    const made = await registerPartnerOffice(tx, ctx, who, details);
    await forgetApplicationsOf(tx, partnerKey, personId);
    return made;
  });
  return { officeId };
}

/** The same practice at the same address is the same office, however often it is submitted. */
async function registerPartnerOffice(
  tx: Tx,
  ctx: AnyoneCtx,
  who: Registrant,
  details: PartnerDetails,
): Promise<string> {
  const { strapiId } = await registerInTransaction(tx, ctx, who, ctx.id(), { ...details, isChadisOnboarding: true });
  return strapiId;
}

/** The details in their one spelling; refuses with what is wrong, field by field. */
function validDetails({ language }: Pick<AnyoneCtx, 'language'>, given: PartnerDetails): PartnerDetails {
  const wrong = wrongDetails(given);
  if (wrong.length > 0) {
    const errorList = wrong.map((field) => ({ field, message: wrongTexts[field][language] }));
    throw new Refusal('registration_incomplete', { errorList });
  }
  return { ...given, email: given.email.trim().toLowerCase() };
}
