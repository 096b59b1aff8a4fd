/**
 * Registration: a person fills in the practice form and gets a new office.
 *
 * form: one practice form, from the first letter typed until its office exists; the panel assigns its id once.
 * draft: what was typed so far, stored per person, so that they can continue on another device.
 * provisional: a substitute for an NPI: ten digits beginning with 9 (never issued), with a correct check digit.
 * claim: a stranger registers with the NPI of an existing office: refused, and the operator is notified.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant, Npi, type Translations } from '#contract/shapes.ts';
import { hasCheckDigit, UserAccount } from './office.ts';
import { ages, sizes, states } from './choices.ts';
import { systems } from './systems.ts';
import { timeZones } from './time-zones.ts';

/* @__NO_SIDE_EFFECTS__ */
const OptionalText = (letters: number) => z.optional(z.nullable(z.string().check(z.maxLength(letters))));

/** The fields of our form and the partner's. Every field may be missing; `invalidFields` reports the required ones. */
export const RegistrationInput = z.object({
  /** The address chosen in the search; without it, the typed address counts. */
  addressId: OptionalText(40),
  addressLine1: OptionalText(200),
  city: OptionalText(100),
  /** Two letters. */
  state: OptionalText(40),
  /** Five digits, or nine with a dash; only for a new address. */
  zip: OptionalText(20),
  name: OptionalText(200),
  email: OptionalText(254),
  itContact: OptionalText(300),
  emr: OptionalText(60),
  patientSize: OptionalText(40),
  agesTreated: z.optional(z.nullable(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20)))),
  refCode: OptionalText(80),
  url: OptionalText(300),
  /** Only for a new address. Without it the office gets a provisional number. */
  npi: OptionalText(20),
  /** Without it, the most common time zone of that area. */
  timeZone: OptionalText(60),
  /** The partner's form, which asks for less. */
  isChadisOnboarding: z.optional(z.nullable(z.boolean())),
});
export type RegistrationInput = z.output<typeof RegistrationInput>;

/** The current form: the input so far, and which way of entering the address and the NPI is open. */
export const Draft = z.extend(RegistrationInput, {
  /** The address is typed instead of searched. */
  isNewAddress: z.optional(z.boolean()),
  /** True: the practice has no NPI yet. False: it has one, so the NPI is required. */
  wantsProvisional: z.optional(z.boolean()),
});
export type Draft = z.output<typeof Draft>;

/** Every error message a field of the form can show, by error. */
export const fieldErrorTexts = {
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
  phone: {
    en: 'Please enter a 10-digit phone number, or leave it empty',
    es: 'Ingrese un teléfono de 10 dígitos, o déjelo vacío',
  },
} as const satisfies Record<string, Translations>;

/** A field of the form; `address` is the search. */
export type Field = keyof typeof fieldErrorTexts;
export const fields = Object.keys(fieldErrorTexts) as Field[];

/** The invalid fields, in the order of the form. The panel shows them at the fields; the server refuses by them. */
export function invalidFields(input: Draft & { phone?: string | undefined }): Field[] {
  const isEmpty = (field: keyof RegistrationInput | 'phone') => String(input[field] ?? '').trim() === '';
  const typesAddress =
    input.isNewAddress || (['addressLine1', 'city', 'state', 'zip'] as const).some((field) => !isEmpty(field));
  const isPartners = input.isChadisOnboarding === true;
  const wrong: Record<Field, boolean> = {
    address: isEmpty('addressId') && !typesAddress && !isPartners,
    ...newAddress(input, isEmpty),
    name: isEmpty('name'),
    email: !isEmail(input.email ?? ''),
    itContact: isEmpty('itContact') && !isPartners,
    emr: !(systems as readonly string[]).includes(input.emr ?? ''),
    patientSize: !Object.hasOwn(sizes, input.patientSize ?? '') && !isPartners,
    agesTreated: !areAges(input.agesTreated ?? [], isPartners),
    timeZone: !isEmpty('timeZone') && !Object.hasOwn(timeZones, input.timeZone ?? ''),
    url: !isEmpty('url') && webAddress(input.url ?? '') === null,
    phone: !isEmpty('phone') && numberToCall(input.phone ?? '') === null,
  };
  if (wrong.address) for (const field of ['addressLine1', 'city', 'state', 'zip', 'npi'] as const) wrong[field] = false;
  return fields.filter((field) => wrong[field]);
}

function newAddress(input: Draft, isEmpty: (field: keyof RegistrationInput) => boolean) {
  const isTyped = isEmpty('addressId');
  return {
    addressLine1: isTyped && isEmpty('addressLine1'),
    city: isTyped && isEmpty('city'),
    state: isTyped && !Object.hasOwn(states, input.state ?? ''),
    zip: isTyped && !/^\d{5}(-?\d{4})?$/.test((input.zip ?? '').trim()),
    npi: isTyped && (isEmpty('npi') ? input.wantsProvisional === false : !hasCheckDigit(npiDigits(input.npi ?? ''))),
  };
}

/** At least 6 characters, containing '.' and '@'. */
function isEmail(text: string): boolean {
  const email = text.trim();
  return email.length >= 6 && email.includes('.') && email.includes('@');
}

const areAges = (chosenAges: string[], mayBeNone: boolean) =>
  chosenAges.every((age) => Object.hasOwn(ages, age)) && (mayBeNone || chosenAges.length > 0);

/** An NPI without the spaces and dashes people type. */
export const npiDigits = (typed: string) => typed.replace(/[\s.-]/g, '');

/** A web address as stored, with its scheme; null if it is not valid. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)) return null;
  const full = hasScheme ? text : `https://${text}`;
  return URL.canParse(full) && /^[^\s.]+(\.[^\s.]+)+$/.test(new URL(full).hostname) ? full : null;
}

/** A number that patients call, as stored: of the North American plan, toll-free ones too. Null if it is not valid. */
export function numberToCall(typed: string): string | null {
  const [, digits] = /^(?:\+?1)?([2-9]\d{2}[2-9]\d{6})$/.exec(typed.replace(/[\s().-]/g, '')) ?? [];
  return digits === undefined ? null : `+1${digits}`;
}

const FormId = z.object({ formId: z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/)) });

/** The errors of a step, by field; the messages are in the caller's language. */
export const ErrorList = z.array(z.object({ field: z.string(), message: z.string() }));

export const Registration = z.object({
  npi: Npi,
  formId: z.string(),
  /** The office's id. */
  strapiId: z.uuid(),
  /** The address chosen in the search; null for a typed one. */
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
    "Creates the caller's office. Submitting the same form again, or the same practice at the same address, returns the same office",
  access: 'person',
  params: FormId,
  body: RegistrationInput,
  reply: Registration,
  refusals: ['registration_incomplete', 'npi_claimed', 'too_many_tries', 'text_number_away'],
});

export const registerCustomer = endpoint({
  method: 'POST',
  path: '/office/register/:formId/stripe-customer',
  summary: 'Makes the office a customer of the card provider; repeating it returns the same customer',
  access: 'person',
  params: FormId,
  body: z.object({
    formId: z.optional(z.string().check(z.maxLength(64))),
    strapiId: z.string().check(z.maxLength(64)),
    addressId: OptionalText(40),
    errorList: z.optional(z.nullable(z.array(z.unknown()).check(z.maxLength(50)))),
  }),
  reply: z.object({
    formId: z.string(),
    strapiId: z.uuid(),
    addressId: z.nullable(z.string()),
    customerId: z.string(),
    errorList: ErrorList,
  }),
  refusals: ['office_not_found', 'card_away'],
});

const SavedDraft = z.object({ formId: z.string(), draft: Draft, savedAt: Instant });

export const readDraft = endpoint({
  method: 'GET',
  path: '/office/register/draft',
  summary: "The caller's unfinished form, from any device; null if there is none",
  access: 'person',
  reply: z.nullable(SavedDraft),
});

export const saveDraft = endpoint({
  method: 'PUT',
  path: '/office/register/:formId/draft',
  summary: 'Saves the draft without validation. After registration, drafts are no longer saved',
  access: 'person',
  params: FormId,
  body: Draft,
  reply: z.object({ savedAt: Instant }),
});

export const askToJoin = endpoint({
  method: 'POST',
  path: '/office/join-requests',
  summary: "Asks the members of the office with this NPI to let the caller in: emails them the caller's address",
  access: 'person',
  body: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({ asked: z.boolean() }),
  refusals: ['office_not_found', 'too_many_tries'],
});

export const createUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: "The caller's own user record: stores name and dependents and only checks the office. Idempotent",
  access: 'person',
  body: z.object({
    name: z.optional(z.string().check(z.maxLength(200))),
    relatedNpi: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
    userType: z.optional(z.enum(['patient', 'doctor'])),
    dependents: z.optional(z.array(z.object({ name: z.string().check(z.maxLength(200)) })).check(z.maxLength(20))),
  }),
  reply: UserAccount,
  refusals: ['office_not_found'],
});

export const convertToDoctor = endpoint({
  method: 'POST',
  path: '/users/convert-to-doctor',
  summary: 'Marks the caller as the doctor of one of their offices. Idempotent',
  access: 'person',
  body: z.object({
    address: OptionalText(200),
    city: OptionalText(100),
    state: OptionalText(40),
    name: OptionalText(200),
    npi: z.string().check(z.maxLength(20)),
    covidEnabled: z.optional(z.boolean()),
    visible: z.optional(z.boolean()),
    onboardingType: z.optional(z.enum(['regular', 'chadis'])),
  }),
  reply: UserAccount,
  refusals: ['office_not_found'],
});

export const readUserByEmail = endpoint({
  method: 'GET',
  path: '/onemd/api/v1/users/email/:email',
  summary: "The caller's own user record by their own email address; every other address is unknown",
  access: 'person',
  params: z.object({ email: z.string().check(z.maxLength(254)) }),
  reply: UserAccount,
  refusals: ['not_found'],
});
