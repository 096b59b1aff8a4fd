/**
 * The practice: its data, its queue's settings, flags and public configuration.
 *
 * office: one location of a practice. Its key is our own uuid; the NPI is an attribute with aliases.
 * flag: a named switch, looked up person → visible doctor → features → global; off by default.
 */
import * as z from 'zod/mini';
import { leastCents, mostCents } from '#contract/copay.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Npi } from '#contract/shapes.ts';
import { ClosedDays, OpeningHours } from './opening-hours.ts';

/** The office's data; other programs read these names. */
export const OfficeAccount = z.object({
  _id: z.uuid(),
  npiNumber: Npi,
  officeName: z.string(),
  officeUrl: z.nullable(z.string()),
  address: z.string(),
  email: z.nullable(z.string()),
  emr: z.string(),
  hellosignComplete: z.boolean(),
  paymentsQuestionCompleted: z.boolean(),
  finixIdentity: z.nullable(z.string()),
  stripeCustomerId: z.nullable(z.string()),
  pilotPrice: z.nullable(z.string()),
  litePrice: z.nullable(z.string()),
  primePrice: z.nullable(z.string()),
  chatEnabled: z.boolean(),
  appointmentsEnabled: z.boolean(),
  sms: z.string(),
  /** The product's own message in each language. */
  standardSms: z.object({ en: z.string(), es: z.string() }),
  timeZone: z.string(),
});
export type OfficeAccount = z.output<typeof OfficeAccount>;

/** Whether this is a well-formed NPI: ten digits, the last one the check digit (Luhn over 80840 and the first nine). */
export function hasCheckDigit(npi: string): boolean {
  if (!/^\d{10}$/.test(npi)) return false;
  const sum = [...npi].reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 24);
  return sum % 10 === 0;
}

export const readOfficeByNpi = endpoint({
  method: 'GET',
  path: '/offices/npi/:npi',
  summary: "The caller's own office by its NPI; any other is a 404",
  access: 'office',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: OfficeAccount,
  refusals: ['office_not_found'],
});

export const readOfficeByUsername = endpoint({
  method: 'GET',
  path: '/offices/username/:username',
  summary: "The caller's own office by their username (email or mobile number)",
  access: 'office',
  params: z.object({ username: z.string().check(z.maxLength(254)) }),
  reply: OfficeAccount,
  refusals: ['office_not_found'],
});

export const readOfficeNpi = endpoint({
  method: 'GET',
  path: '/office/npi',
  summary: "The NPI of the caller's office",
  access: 'person',
  reply: z.object({ npi: z.nullable(Npi) }),
});

/** The user's data, as the older API calls it. */
export const UserAccount = z.object({
  username: z.string(),
  relatedNpi: z.nullable(Npi),
  name: z.string(),
  userType: z.enum(['patient', 'doctor']),
  dependents: z.array(z.object({ name: z.string() })),
  settings: z.object({ visible: z.boolean(), features: z.record(z.string(), z.unknown()) }),
  visibleDoctor: z.nullable(
    z.object({ userCode: z.string(), name: z.string(), settings: z.record(z.string(), z.unknown()) }),
  ),
});

export const readUser = endpoint({
  method: 'GET',
  path: '/users/:username',
  summary: "The caller's own account",
  access: 'person',
  params: z.object({ username: z.string().check(z.maxLength(254)) }),
  reply: UserAccount,
  refusals: ['not_found'],
});

/** What a page may know before anybody signs in. */
export const PublicConfig = z.object({
  productName: z.string(),
  esign: z.string(),
  card: z.string(),
  /** The outside services that local providers stand in for; the banner names them. */
  localProviders: z.array(z.enum(['sms', 'email', 'push', 'google', 'esign', 'merchant', 'card', 'practiceSoftware'])),
  /** Practices can apply for card payments. */
  payments: z.boolean(),
  /** Signing in with Google is possible. */
  google: z.boolean(),
  demo: z.boolean(),
  clearBrowserData: z.boolean(),
  /** The operator reads requests in an inbox. False: requests are only stored, so no screen may promise an answer by email. */
  operatorHasEmail: z.boolean(),
  /** False on plain HTTP except on localhost: unsafe for patient data. */
  secureOrigin: z.boolean(),
  /** What the cheapest plan costs a provider each month, in cents; null while the card provider does not say. */
  monthlyFromCents: z.nullable(z.int()),
});
export type PublicConfig = z.output<typeof PublicConfig>;

export const readPublicConfig = endpoint({
  method: 'GET',
  path: '/config/public',
  summary: 'Public configuration; the only one served without a session',
  access: 'anyone',
  reply: PublicConfig,
});

export const readConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Global settings and the flags of the caller',
  access: 'person',
  reply: z.object({
    ...PublicConfig.shape,
    flags: z.record(z.string(), z.boolean()),
    features: z.record(z.string(), z.unknown()),
    settings: z.record(z.string(), z.unknown()),
  }),
});

const Minutes = z.int().check(z.minimum(1), z.maximum(600));
/** After how many minutes in a stage a visit counts as late. */
const LateMinutes = z.object({ WAITING: Minutes, INVITED: Minutes, GOING: Minutes });
export type LateMinutes = z.output<typeof LateMinutes>;

/** How the office runs its queue. */
export const QueueSettings = z.object({
  autoInviteEnabled: z.boolean(),
  /** Seconds from arrival to the automatic invite. */
  autoInviteWaitTime: z.int().check(z.minimum(0), z.maximum(24 * 3600)),
  lateMinutes: LateMinutes,
  /** Seven entries, Monday first; null means closed. Null as a whole means always open. */
  openingHours: z.nullable(z.array(z.nullable(OpeningHours)).check(z.length(7))),
  /** Days on which the office is closed, such as holidays. A save without the list leaves it as it is; days that are over are dropped. */
  closedDays: z.optional(ClosedDays),
  greeting: z.object({ en: z.string().check(z.maxLength(300)), es: z.string().check(z.maxLength(300)) }),
  /** The usual copay in cents, suggested when the desk requests one; absent without one. */
  copayCents: z.optional(z.int().check(z.minimum(leastCents), z.maximum(mostCents))),
});
export type QueueSettings = z.output<typeof QueueSettings>;

export const queueSettingsDefault: QueueSettings = {
  autoInviteEnabled: false,
  autoInviteWaitTime: 900,
  lateMinutes: { WAITING: 15, INVITED: 10, GOING: 20 },
  openingHours: null,
  greeting: { en: '', es: '' },
};

export const readQueueSettings = endpoint({
  method: 'GET',
  path: '/office/queue-settings',
  summary: "The office's queue settings: auto-invite, late alerts, opening hours, greeting",
  access: 'office',
  reply: QueueSettings,
});

/** Whom a new auto-invite rule is for: everybody who waits, or only those who arrive from now on. */
export const AutoInviteFrom = z.enum(['waiting', 'new-arrivals']);
export type AutoInviteFrom = z.output<typeof AutoInviteFrom>;

export const QueueSettingsChange = z.extend(QueueSettings, { autoInviteFrom: z.optional(AutoInviteFrom) });
export type QueueSettingsChange = z.output<typeof QueueSettingsChange>;

export const saveQueueSettings = endpoint({
  method: 'PUT',
  path: '/office/queue-settings',
  summary:
    "Changes the office's queue settings. A new auto-invite rule changes the times of waiting patients too, unless it starts with new arrivals. If it would text patients at once, the call must say which",
  access: 'office',
  audit: 'settings.change',
  body: QueueSettingsChange,
  reply: QueueSettings,
  refusals: ['auto_invite_undecided'],
});

/** What the refusal `auto_invite_undecided` carries: how many patients the new rule would text at once. */
export const OverduePatients = z.object({ patients: z.int() });
export type OverduePatients = z.output<typeof OverduePatients>;

export const readPoster = endpoint({
  method: 'GET',
  path: '/office/poster',
  summary: 'The check-in poster: the URL patients open, and its QR code as SVG',
  access: 'office',
  reply: z.object({ officeName: z.string(), url: z.string(), qrSvg: z.string() }),
});
