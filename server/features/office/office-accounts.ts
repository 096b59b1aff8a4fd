import type { OfficeAccount } from '#contract/practice/office.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import type { OfficeCtx, PersonCtx } from '#server/context.ts';
import { priceIdsOf } from '#server/features/membership/index.ts';
import { identitiesOf } from '#server/identities.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officesOf } from '#server/kit/db/office-directory.ts';
import { hasNpi } from '#server/own-office-name.ts';
import { defaultSmsText, productSmsTexts } from '#server/office-row.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { featuresOf, colleagueViewedBy } from './flags.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { personSettings } from './people-sql.ts';
import { readOfficeUncached } from './sql.ts';

/** The caller's own office, by a current or earlier NPI; any other NPI is unknown. */
export async function officeByNpi(ctx: OfficeCtx, npi: string): Promise<OfficeAccount> {
  return ctx.transaction(async (tx) => {
    if (!(await hasNpi(tx, ctx.officeId, npi))) throw new Refusal('office_not_found');
    return toOfficeAccount(ctx, await readOfficeUncached(tx, ctx.officeId));
  });
}

/** The caller's own office, by the address or number the caller signs in with. */
export async function officeByUsername(ctx: OfficeCtx, username: string): Promise<OfficeAccount> {
  if (!(await isOwnUsername(ctx, username))) throw new Refusal('office_not_found');
  return ctx.transaction(async (tx) => toOfficeAccount(ctx, await readOfficeUncached(tx, ctx.officeId)));
}

/** The caller's data in the shape of the older API. */
export async function userAccount(ctx: PersonCtx, username: string) {
  if (!(await isOwnUsername(ctx, username))) throw new Refusal('not_found');
  const { caller } = ctx;
  const settings = await personSettings(ctx.db, caller.personId);
  const [first] = await officesOf(ctx.db, caller.personId);
  const doctor = await viewedDoctor(ctx);
  return {
    username: identitySpelling(username),
    relatedNpi: first?.npi ?? null,
    name: caller.personName,
    userType: caller.memberOf > 0 ? ('doctor' as const) : ('patient' as const),
    dependents: dependentsOf(settings),
    settings: { visible: settings.visible !== false, features: featuresOf(settings) },
    visibleDoctor: doctor ? { userCode: doctor.id, name: doctor.name, settings: doctor.settings } : null,
  };
}

/** The colleague whose profile the caller views, if any (`visibleDoctor`). */
export async function viewedDoctor({ db, caller }: PersonCtx) {
  const { office, personId } = caller;
  if (!office) return null;
  const settings = await personSettings(db, personId);
  return asOffice(db, office.id, (tx) => colleagueViewedBy(tx, office.id, settings));
}

/** The dependents the person listed with `POST /users`. */
function dependentsOf({ dependents }: Record<string, unknown>): { name: string }[] {
  return Array.isArray(dependents) ? (dependents as { name: string }[]) : [];
}

/** Whether the caller signs in with this address or number. */
export async function isOwnUsername(ctx: PersonCtx, username: string): Promise<boolean> {
  const own = await identitiesOf(ctx.db, ctx.caller.personId);
  return own.some(({ value }) => value === identitySpelling(username));
}

/** An address or number in the spelling that identities are stored in. */
function identitySpelling(username: string): string {
  const identifier = username.trim();
  return identifier.includes('@') ? identifier.toLowerCase() : (usPhone(identifier) ?? identifier);
}

function toOfficeAccount({ env, providers }: OfficeCtx, office: OfficeRow): OfficeAccount {
  const { settings } = office;
  const { pilot, lite, prime } = priceIdsOf(settings, providers.card);
  return {
    _id: office.id,
    npiNumber: office.npi,
    officeName: office.name,
    officeUrl: office.url,
    address: addressLine(office),
    email: office.email,
    emr: office.emr,
    hellosignComplete: office.agreementSignedAt !== null,
    paymentsQuestionCompleted: office.paymentsQuestionCompleted,
    finixIdentity: office.finixIdentity,
    stripeCustomerId: office.stripeCustomerId,
    pilotPrice: pilot,
    litePrice: lite,
    primePrice: prime,
    chatEnabled: settings.chatEnabled === true,
    appointmentsEnabled: settings.appointmentsEnabled === true,
    sms: defaultSmsText(office, env.publicUrl),
    standardSms: productSmsTexts(office, env.publicUrl),
    timeZone: office.timeZone,
  };
}
