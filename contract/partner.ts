/**
 * Partner registration: practices of a pediatric screening partner register on co-branded pages.
 *
 * partner: its name is the first segment of the path. brand: how its pages look.
 * application: what a practice entered and has not yet confirmed with the code sent to its email.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OneTimeCode, SentCode } from './shapes.ts';
import { invalidFields, type Field } from './practice/registration.ts';
import { emailPattern } from './email.ts';
import { Session } from './sign-in/session.ts';

/** The only partner of this product: `/chadis`. */
export const partnerKey = 'chadis';

const Color = z.string().check(z.regex(/^#[0-9a-f]{6}$/i));

/** The partner's branding, stored as data (`partnerBrand` in the global settings). */
export const PartnerBrand = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(60)),
  /** An image as a data URL, shown on the panel's color; null shows the name as text. */
  logo: z.nullable(z.string().check(z.regex(/^data:image\/(png|svg\+xml|webp);base64,[A-Za-z0-9+/]+=*$/))),
  /** The gradient of the pages' colored side, from one color to the other; white text must be readable on both. */
  colors: z.tuple([Color, Color]),
});
export type PartnerBrand = z.output<typeof PartnerBrand>;

/** Used unless the installation sets another. */
export const partnerBrandDefault: PartnerBrand = { name: 'CHADIS', logo: null, colors: ['#1f6197', '#123d61'] };

/** Whether white text is readable on this color (4.5:1, WCAG 2.1 AA). */
export function hasContrastWithWhite(color: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) >= 4.5;
}

/** The partner's form. Each field gets its own error message, as in registration. */
export const PartnerDetails = z.object({
  addressLine1: z.string().check(z.maxLength(200)),
  city: z.string().check(z.maxLength(100)),
  /** Two letters. */
  state: z.string().check(z.maxLength(40)),
  zip: z.string().check(z.maxLength(20)),
  name: z.string().check(z.maxLength(200)),
  email: z.string().check(z.maxLength(254)),
  emr: z.string().check(z.maxLength(60)),
  isChadisOnboarding: z.optional(z.boolean()),
});
export type PartnerDetails = z.output<typeof PartnerDetails>;

/** The invalid fields, in the order of the form. The panel shows them at the fields; the server refuses by them. */
export function invalidPartnerDetails(details: PartnerDetails): Field[] {
  const wrong = invalidFields({ ...details, isNewAddress: true, wantsProvisional: true, isChadisOnboarding: true });
  const mayBeMailed = emailPattern.test(details.email.trim());
  return mayBeMailed || wrong.includes('email') ? wrong : [...wrong, 'email'];
}

const Partner = z.object({ partner: z.string().check(z.maxLength(40)) });
const Email = z.string().check(z.maxLength(254));

export const readPartner = endpoint({
  method: 'GET',
  path: '/partner/:partner',
  summary: "The partner's branding",
  access: 'anyone',
  params: Partner,
  reply: PartnerBrand,
});

export const startPartnerSignUp = endpoint({
  method: 'POST',
  path: '/partner/:partner/sign-up',
  summary: 'Stores what the practice entered and emails it a code; known and unknown addresses get the same answer',
  access: 'anyone',
  params: Partner,
  body: PartnerDetails,
  reply: SentCode,
  refusals: ['registration_incomplete', 'too_many_tries', 'code_not_sent', 'no_codes_now'],
});

export const resendPartnerCode = endpoint({
  method: 'POST',
  path: '/partner/:partner/code',
  summary: 'Sends another code',
  access: 'anyone',
  params: Partner,
  body: z.object({ email: Email }),
  reply: SentCode,
  refusals: ['too_many_tries', 'code_not_sent', 'no_codes_now'],
});

export const confirmPartnerSignUp = endpoint({
  method: 'POST',
  path: '/partner/:partner/confirm',
  summary: 'With the right code, creates the account and the office and signs the person in',
  access: 'anyone',
  params: Partner,
  /** The details are sent again with the code, so nobody else who typed this email can replace them. */
  body: z.object({
    ...PartnerDetails.shape,
    code: OneTimeCode,
    bearer: z.optional(z.boolean()),
  }),
  reply: z.object({ session: Session, token: z.optional(z.string()) }),
  refusals: ['registration_incomplete', 'wrong_code', 'too_many_tries', 'email_in_use', 'text_number_away'],
});

export const readPartnerApplication = endpoint({
  method: 'GET',
  path: '/partner/:partner/application',
  summary: "The signed-in person's unfinished partner form, from any device; null if there is none",
  access: 'person',
  params: Partner,
  reply: z.nullable(PartnerDetails),
});

export const savePartnerApplication = endpoint({
  method: 'PUT',
  path: '/partner/:partner/application',
  summary: "Saves the signed-in person's partner form under their own address, without validation",
  access: 'person',
  params: Partner,
  body: PartnerDetails,
  reply: z.object({ kept: z.boolean() }),
});

export const addPartnerLocation = endpoint({
  method: 'POST',
  path: '/partner/:partner/details',
  summary:
    'Registers an office for the signed-in person: their first, or another location. A repeated submit creates one office',
  access: 'person',
  params: Partner,
  body: PartnerDetails,
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['registration_incomplete', 'too_many_tries', 'text_number_away'],
});
