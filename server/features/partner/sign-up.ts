import { partnerKey, invalidPartnerDetails, type PartnerDetails } from '#contract/partner.ts';
import { fieldErrorTexts } from '#contract/practice/registration.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx, PersonCtx } from '#server/context.ts';
import {
  registerInTransaction,
  withTextNumber,
  type OfferedNumber,
  type Registrant,
} from '#server/features/registration/index.ts';
import { sendFeatureCode, signInForFeature } from '#server/features/sign-in/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requirePartner } from './brand.ts';
import { forgetApplicationsOf, upsertApplication, newestApplication, partnerStatesOfOffices, ownEmail } from './sql.ts';

interface CodeSent {
  expiresAt: string;
  resendAfterSeconds: number;
}

/** Saves the practice's details and sends the code. The answer is the same for known and unknown addresses. */
export async function startSignUp(ctx: AnyoneCtx, partner: string, input: PartnerDetails): Promise<CodeSent> {
  requirePartner(partner);
  const details = validDetails(ctx, input);
  const sent = await sendFeatureCode(ctx, 'partner', details.email);
  await upsertApplication(ctx.db, { partner: partnerKey, email: details.email, details, at: ctx.now() });
  return sent;
}

export async function resendCode(ctx: AnyoneCtx, partner: string, email: string): Promise<CodeSent> {
  requirePartner(partner);
  return sendFeatureCode(ctx, 'partner', email);
}

/**
 * With the right code, creates the account and the unsigned office and signs the person in. A person who returns before signing the
 * agreement continues with the same office. Refuses a person who belongs to any other office.
 */
export async function confirmSignUp(
  ctx: AnyoneCtx,
  partner: string,
  { code, bearer = false, ...input }: PartnerDetails & { code: string; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  requirePartner(partner);
  const details = validDetails(ctx, input);
  const typed = { purpose: 'partner', email: details.email, code, bearer } as const;
  return withTextNumber(ctx, networkOfAddress(ctx.http.address), (offered) =>
    signInForFeature(ctx, typed, async (tx, who) => {
      const offices = await partnerStatesOfOffices(tx, who.personId);
      if (offices.some(({ onboardingType, isSigned }) => onboardingType !== partnerKey || isSigned))
        return 'email_in_use';
      const registrant = {
        ...who,
        requestId: ctx.requestId,
        language: ctx.language,
        network: networkOfAddress(ctx.http.address),
      };
      if (offices.length === 0) await registerPartnerOffice(tx, ctx, registrant, details, offered);
      await forgetApplicationsOf(tx, partnerKey, who.personId);
      return null;
    }),
  );
}

/** The person's unfinished application, found by an email they have verified. */
export async function readApplication(ctx: PersonCtx, partner: string): Promise<PartnerDetails | null> {
  requirePartner(partner);
  return newestApplication(ctx.db, partnerKey, ctx.caller.personId);
}

/** Saves the application without validation. Returns `kept: false` for a person without an email, which is its key. */
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

/** Registers an office for the caller: their first or another location. */
export async function addLocation(
  ctx: PersonCtx,
  partner: string,
  input: PartnerDetails,
): Promise<{ officeId: string }> {
  requirePartner(partner);
  const details = validDetails(ctx, input);
  const { personId, personName } = ctx.caller;
  await ctx.limits.take(perPerson, personId);
  const who = {
    personId,
    personName,
    requestId: ctx.requestId,
    language: ctx.language,
    network: networkOfAddress(ctx.http.address),
  };
  const officeId = await withTextNumber(ctx, networkOfAddress(ctx.http.address), (offered) =>
    ctx.db.transaction().execute(async (tx) => {
      const id = await registerPartnerOffice(tx, ctx, who, details, offered);
      await forgetApplicationsOf(tx, partnerKey, personId);
      return id;
    }),
  );
  return { officeId };
}

/** Idempotent: the same practice at the same address is the same office. */
async function registerPartnerOffice(
  tx: Tx,
  ctx: AnyoneCtx,
  who: Registrant,
  details: PartnerDetails,
  offered: OfferedNumber | null,
): Promise<string> {
  const input = { ...details, isChadisOnboarding: true };
  const { strapiId } = await registerInTransaction(tx, ctx, who, { formId: ctx.id(), input, offered });
  return strapiId;
}

/** Returns the details with a normalized email; refuses with the errors of each field. */
function validDetails({ language }: Pick<AnyoneCtx, 'language'>, input: PartnerDetails): PartnerDetails {
  const wrong = invalidPartnerDetails(input);
  if (wrong.length > 0) {
    const errorList = wrong.map((field) => ({ field, message: fieldErrorTexts[field][language] }));
    throw new Refusal('registration_incomplete', { errorList });
  }
  return { ...input, email: input.email.trim().toLowerCase() };
}
