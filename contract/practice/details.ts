/**
 * A practice's own details from its registration, editable later.
 *
 * details: the current fields of the practice form. The NPI is shown with them, but only the operator can change it.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Npi } from '#contract/shapes.ts';
import { invalidFields, type Field } from './registration.ts';

export const OfficeDetails = z.object({
  name: z.string().check(z.maxLength(200)),
  addressLine1: z.string().check(z.maxLength(200)),
  city: z.string().check(z.maxLength(100)),
  /** Two letters. */
  state: z.string().check(z.maxLength(40)),
  zip: z.string().check(z.maxLength(20)),
  email: z.string().check(z.maxLength(254)),
  itContact: z.string().check(z.maxLength(300)),
  emr: z.string().check(z.maxLength(60)),
  patientSize: z.string().check(z.maxLength(40)),
  agesTreated: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20)),
  url: z.string().check(z.maxLength(300)),
  /** The number that patients call; not the one that texts. A caller that leaves it out changes nothing. */
  phone: z.optional(z.string().check(z.maxLength(40))),
  timeZone: z.string().check(z.maxLength(60)),
});
export type OfficeDetails = z.output<typeof OfficeDetails>;

export const OfficeDetailsWithNpi = z.extend(OfficeDetails, { npi: Npi, npiProvisional: z.boolean() });

/** Fields that not every form asks for: if they were empty before, they may stay empty. */
const mayStayEmpty: readonly Exclude<Field & keyof OfficeDetails, 'phone'>[] = [
  'zip',
  'email',
  'itContact',
  'patientSize',
  'agesTreated',
];

/**
 * The invalid fields, by the rules and in the order of the practice form. The panel shows them at the fields; the server refuses by them.
 */
export function invalidDetails(details: OfficeDetails, before: OfficeDetails): Field[] {
  const excused = mayStayEmpty.filter((field) => details[field].length === 0 && before[field].length === 0);
  return invalidFields({ ...details, isNewAddress: true }).filter(
    (field) => !(excused as readonly Field[]).includes(field),
  );
}

export const readOfficeDetails = endpoint({
  method: 'GET',
  path: '/office/details',
  summary:
    "The practice's details: name, address, email, phone, IT contact, software, size, ages, web address, time zone",
  access: 'office',
  reply: OfficeDetailsWithNpi,
});

export const saveOfficeDetails = endpoint({
  method: 'PUT',
  path: '/office/details',
  summary: "Changes the practice's details; a new time zone also changes its days and hours",
  access: 'office',
  audit: 'office.change',
  body: OfficeDetails,
  reply: OfficeDetailsWithNpi,
  refusals: ['registration_incomplete'],
});

export const readUnsignedDetails = endpoint({
  method: 'GET',
  path: '/office/register/details',
  summary: "The details of the caller's office, editable until its agreement is signed",
  access: 'person',
  reply: OfficeDetailsWithNpi,
  refusals: ['no_office', 'agreement_signed'],
});

export const correctDetails = endpoint({
  method: 'PUT',
  path: '/office/register/details',
  summary:
    'Corrects the details before the agreement is signed. Cancels a running signature request; the next one has the corrected details',
  access: 'person',
  body: OfficeDetails,
  reply: OfficeDetailsWithNpi,
  refusals: ['no_office', 'registration_incomplete', 'agreement_signed', 'agreement_in_preparation', 'esign_away'],
});
