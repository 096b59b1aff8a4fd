import {
  npiDigits,
  invalidFields,
  fieldErrorTexts,
  numberToCall,
  webAddress,
  type Field,
  type Registration,
  type RegistrationInput,
} from '#contract/practice/registration.ts';
import { isProvisional } from '#contract/practice/provisional-npi.ts';
import type { Language } from '#contract/shapes.ts';
import { timeZoneOf } from '#contract/practice/time-zones.ts';
import { streetOf } from '#contract/practice/address-line.ts';
import type { Services, PersonCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { listedPhone, readAddress } from '#server/features/addresses/index.ts';
import {
  createProvisionalNpi,
  findNpiHolder,
  lockNpi,
  insertOffice,
  refuseConfusableName,
  settingsOfNewPractice,
} from '#server/features/office/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { enterOffice, type Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { NpiClaimed, saveClaim } from './npi-claims.ts';
import { holdNumber, withTextNumber, type OfferedNumber } from './text-number.ts';
import {
  addMembership,
  closeForm,
  enterOfficeRow,
  insertForm,
  lockByName,
  officeOfForm,
  officesOfPerson,
  type OfficeOfPerson,
} from './sql.ts';

/** The person who submits a registration form. */
export interface Registrant {
  personId: string;
  personName: string;
  requestId: string;
  language: Language;
  /** The network of the request (`networkOfAddress`). */
  network: string;
}

/**
 * Creates the office of a form with the default queue settings and its own text number, without a signed agreement, and makes the person
 * a member. Idempotent, also in parallel: the same form, or the same practice at the same address, is the same office. Throws
 * `registration_incomplete` with the errors of each field, and `npi_claimed` if another person's office has the NPI.
 */
export async function registerOffice(
  services: Services,
  who: Registrant,
  formId: string,
  input: RegistrationInput,
): Promise<Registration> {
  try {
    return await withTextNumber(services, who.network, (offered) =>
      services.db.transaction().execute((tx) => registerInTransaction(tx, services, who, { formId, input, offered })),
    );
  } catch (error) {
    if (error instanceof NpiClaimed) await saveClaim(services, who, error);
    throw error;
  }
}

/** A form, and the number offered to the new practice; null until one is needed. */
export interface NewRegistration {
  formId: string;
  input: RegistrationInput;
  offered: OfferedNumber | null;
}

/**
 * `registerOffice` within an open transaction, which ends inside the new office. The caller saves an NPI claim, and runs it inside
 * `withTextNumber`: it throws NumberNeeded when everything is right and only the number is missing.
 */
export async function registerInTransaction(
  tx: Tx,
  services: Services,
  who: Registrant,
  { formId, input, offered }: NewRegistration,
): Promise<Registration> {
  await lockByName(tx, `registers ${who.personId}`);
  const before = await officeOfForm(tx, who.personId, formId);
  const officeBefore = before && (await enterOfficeRow(tx, before));
  if (officeBefore) return toRegistration(formId, officeBefore);

  const practice = await readPractice(tx, who, input);
  const mine = await officesOfPerson(tx, who.personId);
  const same = mine.find((office) => isSamePractice(office, practice));
  const office = same ?? (await createOffice(tx, services, who, { practice, mine, offered }));
  await insertForm(tx, { personId: who.personId, formId, at: services.now() });
  await closeForm(tx, { personId: who.personId, formId, officeId: office.id, at: services.now() });
  return toRegistration(formId, office);
}

const perPerson = { name: 'register', points: 60, seconds: 3600 };

/** Registers the caller's own form. */
export async function registerPractice(
  ctx: PersonCtx,
  formId: string,
  input: RegistrationInput,
): Promise<Registration> {
  const { personId, personName } = ctx.caller;
  await ctx.limits.take(perPerson, personId);
  const { requestId, language, http } = ctx;
  return registerOffice(
    ctx,
    { personId, personName, requestId, language, network: networkOfAddress(http.address) },
    formId,
    input,
  );
}

type Practice = Awaited<ReturnType<typeof readPractice>>;

/** The office's data from the form and the chosen NPPES address. */
async function readPractice(tx: Tx, who: Registrant, input: RegistrationInput) {
  const wrong = invalidFields(input);
  const address = await readPracticeAddress(tx, input);
  if (address.addressId && !address.isListed) wrong.unshift('address');
  const { isListed: _, ...addressColumns } = address;
  const timeZone = text(input.timeZone) || timeZoneOf(address);
  if (!timeZone && address.state !== '' && !wrong.includes('state')) wrong.push('timeZone');
  if (wrong.length > 0 || !timeZone) throw incomplete(wrong, who.language);
  return {
    ...addressColumns,
    timeZone,
    name: text(input.name),
    email: text(input.email).toLowerCase(),
    itContact: text(input.itContact) || null,
    emr: text(input.emr),
    patientSize: text(input.patientSize) || null,
    agesTreated: [...new Set(input.agesTreated ?? [])],
    refCode: text(input.refCode) || null,
    url: text(input.url) === '' ? null : webAddress(text(input.url)),
    onboardingType: input.isChadisOnboarding ? 'chadis' : 'regular',
  };
}

const text = (value: string | null | undefined) => (value ?? '').trim().replace(/\s+/g, ' ');

/** The chosen NPPES address with its NPI, or what was typed. */
async function readPracticeAddress(tx: Tx, input: RegistrationInput) {
  const addressId = text(input.addressId) || null;
  const listed = addressId ? await readAddress({ db: tx }, addressId) : null;
  if (listed) {
    const { city, state, zip, npi } = listed;
    const phone = npi && numberToCall((await listedPhone(tx, npi)) ?? '');
    return { isListed: true, addressId, addressLine1: streetOf(listed), city, state, zip, npi, phone };
  }
  return {
    isListed: false,
    addressId,
    addressLine1: text(input.addressLine1),
    city: text(input.city),
    state: text(input.state),
    zip: text(input.zip),
    npi: npiDigits(input.npi ?? '') || null,
    phone: null,
  };
}

function incomplete(wrong: Field[], language: Language): Refusal {
  const errorList = wrong.map((field) => ({ field, message: fieldErrorTexts[field][language] }));
  return new Refusal('registration_incomplete', { errorList });
}

/** Whether this is the same practice at the same address; compared by NPI, or by name without one. */
function isSamePractice(office: OfficeOfPerson, practice: Practice): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const sameAddress =
    plain(office.addressLine1) === plain(practice.addressLine1) &&
    plain(office.city) === plain(practice.city) &&
    office.state === practice.state;
  return sameAddress && (practice.npi ? office.npi === practice.npi : plain(office.name) === plain(practice.name));
}

async function createOffice(
  tx: Tx,
  services: Services,
  who: Registrant,
  { practice, mine, offered }: { practice: Practice; mine: OfficeOfPerson[]; offered: OfferedNumber | null },
): Promise<OfficeOfPerson> {
  const { npi, isShared } = await npiFor(tx, who, practice, mine);
  await refuseConfusableName(tx, { productName: services.env.productName, language: who.language }, practice, null);
  // Patients of this location must not reach the other one with the same NPI.
  const checkInNpi = isShared ? await createProvisionalNpi(tx) : null;
  const number = await holdNumber(tx, practice, offered);
  const id = services.id();
  await enterOffice(tx, id);
  const { onboardingType, ...columns } = practice;
  await insertOffice(tx, services, id, {
    ...columns,
    npi,
    checkInNpi,
    onboardingType,
    npiProvisional: isProvisional(npi),
    textNumber: number,
    agreementSignedAt: null,
    firstStepsShown: true,
    confirmedBy: services.env.demo ? 'demo' : null,
    settings: settingsOfNewPractice,
  });
  await addMembership(tx, { officeId: id, id: services.id(), personId: who.personId, createdAt: services.now() });
  const actor = { kind: 'staff', id: who.personId, name: who.personName } as const;
  const scope = { officeId: id, actor, requestId: who.requestId, now: services.now };
  await writeAuditEntry(tx, scope, {
    action: 'office.register',
    subject: 'office',
    details: { provisional: isProvisional(npi), onboardingType },
  });
  return { ...practice, id, npi };
}

/** The NPI of the new office. Only members of an office may reuse its NPI, for another location; a provisional one cannot be reused. */
async function npiFor(
  tx: Tx,
  who: Registrant,
  { npi }: Practice,
  mine: OfficeOfPerson[],
): Promise<{ npi: string; isShared: boolean }> {
  if (npi === null) return { npi: await createProvisionalNpi(tx), isShared: false };
  await lockNpi(tx, npi);
  const holder = await findNpiHolder(tx, npi);
  if (holder === null) return { npi, isShared: false };
  const isMine = mine.some((office) => office.id === holder || office.npi === npi);
  if (!isMine) throw new NpiClaimed(npi, holder);
  if (isProvisional(npi)) throw incomplete(['npi'], who.language);
  return { npi, isShared: true };
}

function toRegistration(formId: string, office: OfficeOfPerson): Registration {
  const { addressLine1, city, state } = office;
  return {
    npi: office.npi,
    formId,
    strapiId: office.id,
    addressId: office.addressId,
    addressData: { addressLine1, city, state },
    errorList: [],
    npiProvisional: isProvisional(office.npi),
    timeZone: office.timeZone,
  };
}
