/**
 * Registration: a practice nobody has heard of becomes an office of the person who fills the form in.
 *
 * form: one practice form, from the first letter typed until its office is made; the panel gives it its id once.
 * draft: what was typed so far, kept per person, so that another machine goes on where this one was.
 * provisional: a number in the place of an NPI: ten digits beginning with 9 (never issued), check digit right.
 * claim: a stranger registers with the NPI of an office that is here already: refused, and the operator is told.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant, Npi, type Translations } from '#contract/shapes.ts';
import { hasCheckDigit, UserRecord } from './office.ts';
import { ages, sizes, states, systems } from './choices.ts';
import { timeZones } from './time-zones.ts';

const Typed = (letters: number) => z.optional(z.nullable(z.string().check(z.maxLength(letters))));

/** The union of both parts' inputs. Everything may be missing: what has to be there is said field by field (`wrongFields`). */
export const RegistrationInput = z.object({
  /** The address chosen from the search; without it the address is the typed one. */
  addressId: Typed(40),
  addressLine1: Typed(200),
  city: Typed(100),
  /** Two letters. */
  state: Typed(40),
  /** Five digits, or nine with a dash; asked for a new address only. */
  zip: Typed(20),
  name: Typed(200),
  email: Typed(254),
  itContact: Typed(300),
  emr: Typed(60),
  patientSize: Typed(40),
  agesTreated: z.optional(z.nullable(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20)))),
  refCode: Typed(80),
  url: Typed(300),
  /** For a new address only. Missing or empty: the office gets a provisional number. */
  npi: Typed(20),
  /** Missing: the one most of the place goes by. */
  timeZone: Typed(60),
  /** The partner's form: it asks for less. */
  isChadisOnboarding: z.optional(z.nullable(z.boolean())),
});
export type RegistrationInput = z.output<typeof RegistrationInput>;

/** A form as it stands: the input so far, and which way of giving the address and the NPI is open. */
export const Draft = z.object({
  ...RegistrationInput.shape,
  /** The address is being typed instead of searched. */
  isNewAddress: z.optional(z.boolean()),
  /** The practice has no NPI yet; false: it has one, so it must be there. */
  wantsProvisional: z.optional(z.boolean()),
});
export type Draft = z.output<typeof Draft>;

/** Every message a field of the form can show, by what is wrong. */
export const wrongTexts = {
  address: { en: 'Please select your practice address', es: 'Seleccione la dirección de su consultorio' },
  addressLine1: { en: "Please enter your practice's address", es: 'Ingrese la dirección de su consultorio' },
  city: { en: "Please enter your practice's city", es: 'Ingrese la ciudad de su consultorio' },
  state: { en: "Please select your practice's state", es: 'Seleccione el estado de su consultorio' },
  zip: { en: "Please enter your practice's ZIP code", es: 'Ingrese el código postal de su consultorio' },
  npi: {
    en: 'Please enter an NPI: ten digits, the last one its check digit',
    es: 'Ingrese un NPI: diez dígitos, el último es el de control',
  },
  name: { en: 'Please enter the name of your practice', es: 'Ingrese el nombre de su consultorio' },
  email: { en: 'Please enter your email address', es: 'Ingrese su correo electrónico' },
  itContact: {
    en: "Please enter your IT company's contact info",
    es: 'Ingrese los datos de contacto de su empresa de informática',
  },
  emr: {
    en: 'Please select the management software your practice uses',
    es: 'Seleccione el software de gestión que usa su consultorio',
  },
  patientSize: {
    en: 'Please select the number of patients your practice has',
    es: 'Seleccione la cantidad de pacientes de su consultorio',
  },
  agesTreated: {
    en: 'Please select the ages your practice treats',
    es: 'Seleccione las edades que atiende su consultorio',
  },
  timeZone: { en: "Please select your practice's time zone", es: 'Seleccione la zona horaria de su consultorio' },
  url: {
    en: 'Please enter a web address like www.example.com, or leave it empty',
    es: 'Ingrese una dirección web como www.example.com, o déjela vacía',
  },
} as const satisfies Record<string, Translations>;

/** A field of the form; `address` is the search. */
export type Field = keyof typeof wrongTexts;
export const fields = Object.keys(wrongTexts) as Field[];

/** What is wrong, in the order of the form. Pure: the panel shows it at the fields, the server refuses by it. */
export function wrongFields(given: Draft): Field[] {
  const isEmpty = (field: keyof RegistrationInput) => String(given[field] ?? '').trim() === '';
  const typesAddress =
    given.isNewAddress || (['addressLine1', 'city', 'state', 'zip'] as const).some((field) => !isEmpty(field));
  const isPartners = given.isChadisOnboarding === true;
  const wrong: Record<Field, boolean> = {
    address: isEmpty('addressId') && !typesAddress && !isPartners,
    ...newAddress(given, isEmpty),
    name: isEmpty('name'),
    email: !isEmail(given.email ?? ''),
    itContact: isEmpty('itContact') && !isPartners,
    emr: !(systems as readonly string[]).includes(given.emr ?? ''),
    patientSize: !Object.hasOwn(sizes, given.patientSize ?? '') && !isPartners,
    agesTreated: !areAges(given.agesTreated ?? [], isPartners),
    timeZone: !isEmpty('timeZone') && !Object.hasOwn(timeZones, given.timeZone ?? ''),
    url: !isEmpty('url') && webAddress(given.url ?? '') === null,
  };
  if (wrong.address) for (const field of ['addressLine1', 'city', 'state', 'zip', 'npi'] as const) wrong[field] = false;
  return fields.filter((field) => wrong[field]);
}

function newAddress(given: Draft, isEmpty: (field: keyof RegistrationInput) => boolean) {
  const isTyped = isEmpty('addressId');
  return {
    addressLine1: isTyped && isEmpty('addressLine1'),
    city: isTyped && isEmpty('city'),
    state: isTyped && !Object.hasOwn(states, given.state ?? ''),
    zip: isTyped && !/^\d{5}(-?\d{4})?$/.test((given.zip ?? '').trim()),
    npi: isTyped && (isEmpty('npi') ? given.wantsProvisional === false : !hasCheckDigit(npiDigits(given.npi ?? ''))),
  };
}

/** At least 6 characters, containing '.' and '@'. */
function isEmail(text: string): boolean {
  const email = text.trim();
  return email.length >= 6 && email.includes('.') && email.includes('@');
}

const areAges = (given: string[], mayBeNone: boolean) =>
  given.every((age) => Object.hasOwn(ages, age)) && (mayBeNone || given.length > 0);

/** An NPI without the spaces and dashes people type. */
export const npiDigits = (typed: string) => typed.replace(/[\s.-]/g, '');

/** Does this number stand in the place of an NPI? Numbers beginning with 9 are never issued. */
export const isProvisional = (npi: string) => npi.startsWith('9');

/** A web address as it is kept, with its scheme; null when it is none. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)) return null;
  const full = hasScheme ? text : `https://${text}`;
  return URL.canParse(full) && /^[^\s.]+(\.[^\s.]+)+$/.test(new URL(full).hostname) ? full : null;
}

const FormId = z.object({ formId: z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/)) });

/** What a step could not do, field by field; the words are in the caller's language. */
export const ErrorList = z.array(z.object({ field: z.string(), message: z.string() }));

export const Registration = z.object({
  npi: Npi,
  formId: z.string(),
  /** The office. */
  strapiId: z.uuid(),
  /** The address chosen from the search; null for a typed one. */
  addressId: z.nullable(z.string()),
  addressData: z.object({ addressLine1: z.string(), city: z.string(), state: z.string() }),
  errorList: ErrorList,
  npiProvisional: z.boolean(),
  timeZone: z.string(),
});
export type Registration = z.output<typeof Registration>;

export const registerPractice = endpoint({
  method: 'POST',
  path: '/office/register/:formId/strapi-office',
  summary:
    "Makes the caller's office. The same form again, or the same practice at the same address, is the same office",
  access: 'person',
  params: FormId,
  body: RegistrationInput,
  reply: Registration,
  refusals: ['registration_incomplete', 'npi_claimed', 'too_many_tries'],
});

export const registerCustomer = endpoint({
  method: 'POST',
  path: '/office/register/:formId/stripe-customer',
  summary: 'Makes the office a customer of the card provider; asked again it is the same customer',
  access: 'person',
  params: FormId,
  body: z.object({
    formId: z.optional(z.string().check(z.maxLength(64))),
    strapiId: z.string().check(z.maxLength(64)),
    addressId: Typed(40),
    errorList: z.optional(z.nullable(z.array(z.unknown()).check(z.maxLength(50)))),
  }),
  reply: z.object({
    formId: z.string(),
    strapiId: z.uuid(),
    addressId: z.nullable(z.string()),
    customerId: z.string(),
    errorList: ErrorList,
  }),
  refusals: ['office_not_found'],
});

const KeptDraft = z.object({ formId: z.string(), draft: Draft, savedAt: Instant });

export const readDraft = endpoint({
  method: 'GET',
  path: '/office/register/draft',
  summary: "The caller's open form, as it was left on whatever machine; null when none is open",
  access: 'person',
  reply: z.nullable(KeptDraft),
});

export const saveDraft = endpoint({
  method: 'PUT',
  path: '/office/register/:formId/draft',
  summary: 'Keeps the form as it stands; nothing is checked. A form whose office is made keeps nothing any more',
  access: 'person',
  params: FormId,
  body: Draft,
  reply: z.object({ savedAt: Instant }),
});

export const askToJoin = endpoint({
  method: 'POST',
  path: '/office/join-requests',
  summary:
    "Asks the people of an office that goes by this NPI to let the caller in: they get an email with the caller's address",
  access: 'person',
  body: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({ asked: z.boolean() }),
  refusals: ['office_not_found', 'too_many_tries'],
});

export const createUser = endpoint({
  method: 'POST',
  path: '/users',
  summary:
    "The caller's own user record: name and dependents are kept, the office is only checked. The same call again changes nothing",
  access: 'person',
  body: z.object({
    name: z.optional(z.string().check(z.maxLength(200))),
    relatedNpi: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
    userType: z.optional(z.enum(['patient', 'doctor'])),
    dependents: z.optional(z.array(z.object({ name: z.string().check(z.maxLength(200)) })).check(z.maxLength(20))),
  }),
  reply: UserRecord,
  refusals: ['office_not_found'],
});

export const convertToDoctor = endpoint({
  method: 'POST',
  path: '/users/convert-to-doctor',
  summary: 'Marks the caller as the doctor of an office they belong to. The same call again changes nothing',
  access: 'person',
  body: z.object({
    address: Typed(200),
    city: Typed(100),
    state: Typed(40),
    name: Typed(200),
    npi: z.string().check(z.maxLength(20)),
    covidEnabled: z.optional(z.boolean()),
    visible: z.optional(z.boolean()),
    onboardingType: z.optional(z.enum(['regular', 'chadis'])),
  }),
  reply: UserRecord,
  refusals: ['office_not_found'],
});

export const readUserByEmail = endpoint({
  method: 'GET',
  path: '/onemd/api/v1/users/email/:email',
  summary: "The caller's own user record by their own email address; every other address is unknown",
  access: 'person',
  params: z.object({ email: z.string().check(z.maxLength(254)) }),
  reply: UserRecord,
  refusals: ['not_found'],
});
