/**
 * The partner's door: practices of an existing pediatric-screening partner register on co-branded pages.
 *
 * partner: whose door it is; its name is the first word of the path. brand: how its pages look.
 * application: what a practice typed and has not confirmed by the code sent to its email.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OneTimeCode, SentCode } from './shapes.ts';
import { wrongFields, type Field } from './practice/registration.ts';
import { emailPattern } from './sign-in/code.ts';
import { Session } from './sign-in/session.ts';

/** The one partner of this product: `/chadis`. */
export const partnerKey = 'chadis';

const Color = z.string().check(z.regex(/^#[0-9a-f]{6}$/i));

/** The partner's own looks; kept as data (`partnerBrand` among the global settings). */
export const PartnerBrand = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(60)),
  /** A picture as a data address, shown on the panel's colour; null shows the name in letters. */
  logo: z.nullable(z.string().check(z.regex(/^data:image\/(png|svg\+xml|webp);base64,[A-Za-z0-9+/]+=*$/))),
  /** The panel at the start runs from one colour to the other; white words must be readable on both. */
  colors: z.tuple([Color, Color]),
});
export type PartnerBrand = z.output<typeof PartnerBrand>;

/** As long as the installation says nothing else. */
export const partnerBrandDefault: PartnerBrand = { name: 'CHADIS', logo: null, colors: ['#1f6197', '#123d61'] };

/** May white words stand on this colour (4.5:1, WCAG 2.1 AA)? */
export function carriesWhite(color: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) >= 4.5;
}

/** The partner's form. Each field gets its own error, as in registration. */
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

/** What is wrong with the details, in the order of the form. Pure: the panel shows it at the fields, the server refuses by it. */
export function wrongDetails(details: PartnerDetails): Field[] {
  const wrong = wrongFields({ ...details, isNewAddress: true, wantsProvisional: true, isChadisOnboarding: true });
  const mayBeMailed = emailPattern.test(details.email.trim());
  return mayBeMailed || wrong.includes('email') ? wrong : [...wrong, 'email'];
}

const Partner = z.object({ partner: z.string().check(z.maxLength(40)) });
const Email = z.string().check(z.maxLength(254));

export const readPartner = endpoint({
  method: 'GET',
  path: '/partner/:partner',
  summary: "The partner's looks",
  access: 'anyone',
  params: Partner,
  reply: PartnerBrand,
});

export const startPartnerSignUp = endpoint({
  method: 'POST',
  path: '/partner/:partner/sign-up',
  summary: 'Keeps what the practice typed and sends a code to its email; known and unknown addresses answer alike',
  access: 'anyone',
  params: Partner,
  body: PartnerDetails,
  reply: SentCode,
  refusals: ['registration_incomplete', 'too_many_tries', 'code_not_sent'],
});

export const resendPartnerCode = endpoint({
  method: 'POST',
  path: '/partner/:partner/code',
  summary: 'Sends another code',
  access: 'anyone',
  params: Partner,
  body: z.object({ email: Email }),
  reply: SentCode,
  refusals: ['too_many_tries', 'code_not_sent'],
});

export const confirmPartnerSignUp = endpoint({
  method: 'POST',
  path: '/partner/:partner/confirm',
  summary: 'With the right code the account and the office are made, and the person is signed in',
  access: 'anyone',
  params: Partner,
  /** The details once more: whoever else typed this email cannot put theirs in the place of them. */
  body: z.object({
    ...PartnerDetails.shape,
    code: OneTimeCode,
    bearer: z.optional(z.boolean()),
  }),
  reply: z.object({ session: Session, token: z.optional(z.string()) }),
  refusals: ['registration_incomplete', 'wrong_code', 'too_many_tries', 'email_in_use'],
});

export const readPartnerApplication = endpoint({
  method: 'GET',
  path: '/partner/:partner/application',
  summary:
    'What the signed-in person typed at the partner and did not finish, on whatever machine; null when nothing is open',
  access: 'person',
  params: Partner,
  reply: z.nullable(PartnerDetails),
});

export const savePartnerApplication = endpoint({
  method: 'PUT',
  path: '/partner/:partner/application',
  summary: 'Keeps what the signed-in person has typed so far, under their own address; nothing is checked',
  access: 'person',
  params: Partner,
  body: PartnerDetails,
  reply: z.object({ kept: z.boolean() }),
});

export const addPartnerLocation = endpoint({
  method: 'POST',
  path: '/partner/:partner/details',
  summary:
    'Registers an office for the person who is signed in: the first one, or another location. A repeated submit makes one office',
  access: 'person',
  params: Partner,
  body: PartnerDetails,
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['registration_incomplete', 'too_many_tries'],
});
