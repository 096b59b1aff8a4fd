/**
 * What the practice said of itself when it registered, to be changed later.
 *
 * details: the fields of the practice form as they stand. The NPI is shown with them and changed by the operator alone.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Npi } from '#contract/shapes.ts';
import { wrongFields, type Field } from './registration.ts';

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
  timeZone: z.string().check(z.maxLength(60)),
});
export type OfficeDetails = z.output<typeof OfficeDetails>;

export const ShownDetails = z.object({ ...OfficeDetails.shape, npi: Npi, npiProvisional: z.boolean() });

/** Fields that not every form asks for: empty before, they may stay empty. */
const mayStayEmpty: readonly (Field & keyof OfficeDetails)[] = [
  'zip',
  'email',
  'itContact',
  'patientSize',
  'agesTreated',
];

/** What is wrong, by the rules and in the order of the practice form. Pure: shown at the fields, refused by. */
export function wrongDetails(given: OfficeDetails, before: OfficeDetails): Field[] {
  const excused = mayStayEmpty.filter((field) => given[field].length === 0 && before[field].length === 0);
  return wrongFields({ ...given, isNewAddress: true }).filter(
    (field) => !(excused as readonly Field[]).includes(field),
  );
}

export const readOfficeDetails = endpoint({
  method: 'GET',
  path: '/office/details',
  summary:
    'What the practice said of itself: name, address, email, IT contact, software, size, ages, web address, time zone',
  access: 'office',
  reply: ShownDetails,
});

export const saveOfficeDetails = endpoint({
  method: 'PUT',
  path: '/office/details',
  summary: 'Changes what the practice said of itself; another time zone moves its days and hours to that clock',
  access: 'office',
  audit: 'office.change',
  body: OfficeDetails,
  reply: ShownDetails,
  refusals: ['registration_incomplete'],
});

export const readUnsignedDetails = endpoint({
  method: 'GET',
  path: '/office/register/details',
  summary: "What the caller's office registered, to be corrected as long as its agreement is not signed",
  access: 'person',
  reply: ShownDetails,
  refusals: ['no_office', 'agreement_signed'],
});

export const correctDetails = endpoint({
  method: 'PUT',
  path: '/office/register/details',
  summary:
    'Corrects what was registered before the agreement is signed. A running request to sign is taken back: the next one names the office as it is then',
  access: 'person',
  body: OfficeDetails,
  reply: ShownDetails,
  refusals: ['no_office', 'registration_incomplete', 'agreement_signed', 'agreement_in_preparation', 'esign_away'],
});
