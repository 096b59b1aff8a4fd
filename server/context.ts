import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Access } from '#contract/endpoint.ts';
import type { Language } from '#contract/shapes.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import type { Limits } from '#server/kit/http/rate-limits.ts';
import type { VisitorPace } from '#server/kit/http/pace-requests.ts';
import type { Live } from '#server/kit/live/live.ts';
import type { Card } from '#server/providers/card/port.ts';
import type { ReadPlanPrices } from './plan-prices.ts';
import type { Email } from '#server/providers/email/port.ts';
import type { Charges } from '#server/providers/charges/port.ts';
import type { FhirServer } from '#server/providers/fhir/port.ts';
import type { Terminology } from '#server/providers/terminology/port.ts';
import type { PracticeSoftware } from '#server/providers/practice-software/port.ts';
import type { Esign } from '#server/providers/esign/port.ts';
import type { Google } from '#server/providers/google/port.ts';
import type { Merchant } from '#server/providers/merchant/port.ts';
import type { Push } from '#server/providers/push/port.ts';
import type { Sms } from '#server/providers/sms/port.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import type { Env } from './env.ts';

/** What every request and job gets from the process: database, providers, settings, clock. */
export interface Services {
  env: Env;
  pool: pg.Pool;
  db: Db;
  live: Live;
  limits: Limits;
  visitorPace: VisitorPace;
  providers: {
    sms: Sms;
    card: Card;
    charges: Charges;
    email: Email;
    esign: Esign;
    merchant: Merchant;
    practiceSoftware: PracticeSoftware;
    fhirServer: FhirServer;
    terminology: Terminology;
    storage: Storage;
    push: Push;
    google: Google | null;
  };
  log: FastifyBaseLogger;
  /** Business time; tests and drills set it. */
  now(): Date;
  /** Dates audit entries, if not `now`: the demo plays its morning with the clock set back, but writes its entries now. */
  auditNow?(): Date;
  /** A new uuid v7. */
  id(): string;
  /** The build of the phone's page that this server serves; null if the pages are not built. */
  phoneBuild: string | null;
  /** What the plans cost a practice without prices of its own. */
  planPrices: ReadPlanPrices;
}

/** Who acts: written to the audit log and shown in a visit's history. `house` is Anteroom itself, as stored in rows. */
export type Actor =
  | { kind: 'staff'; id: string; name: string }
  | { kind: 'patient'; id: string | null; name: null }
  | { kind: 'timer' | 'operator' | 'house'; id: null; name: null };

/** Anteroom itself. Rows and their check constraint call it `house`. */
export const systemActor = { kind: 'house', id: null, name: null } as const satisfies Actor;

/** Work inside one office: a staff call, a patient's call or a job. */
export interface OfficeScope extends Services {
  officeId: string;
  actor: Actor;
  requestId: string;
  /** One transaction in which row-level security shows this office and no other; joins the one already open. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The parts of HTTP that a handler may need. */
export interface Http {
  address: string;
  userAgent: string;
  /** `https` or localhost, where browsers accept a `__Host-` cookie. */
  secure: boolean;
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string, maxAgeSeconds: number): void;
  clearCookie(name: string): void;
  header(name: string): string | undefined;
  setHeader(name: string, value: string): void;
}

/** A visitor of a website, found by the token of their chat. */
export interface VisitorToken {
  visitorId: string;
  conversationId: string;
}

/** A link to an episode, found by its token. */
export interface EpisodeLink {
  episodeId: string;
}

/** A link to a visit, found by its token. */
export interface VisitLink {
  visitId: string;
  tokenId: string;
  /** True if it was texted to the visit's number; an unproved link was given to a browser that typed the number. */
  proved: boolean;
}

/** The session of this call, as found in the database. */
export interface Caller {
  sessionId: string;
  personId: string;
  personName: string;
  kind: 'cookie' | 'bearer';
  createdAt: Date;
  activeAt: Date;
  expiresAt: Date;
  tokenExpiresAt: Date;
  /** When the person last proved who they are. */
  provedAt: Date;
  /** Minutes without input after which this person's panels lock: the shortest setting of their offices. */
  lockMinutes: number;
  locked: boolean;
  /** Locked until the person takes the second step of signing in. */
  secondStepDue: boolean;
  office: null | {
    id: string;
    npi: string;
    timeZone: string;
    agreementSigned: boolean;
    /** The office requires an authenticator app and this person has none. */
    authenticatorMissing: boolean;
  };
  memberOf: number;
}

export interface AnyoneCtx extends Services {
  caller: Caller | null;
  /** The office the caller named with X-Office. */
  namedOffice: string | null;
  language: Language;
  requestId: string;
  http: Http;
  /** Work inside an office that a public page names (a check-in at an NPI). */
  inOffice(officeId: string, actor: Actor): OfficeScope;
}
export interface PersonCtx extends AnyoneCtx {
  caller: Caller;
}
export interface OfficeCtx extends PersonCtx, OfficeScope {
  npi: string;
  timeZone: string;
}
export interface VisitCtx extends AnyoneCtx, OfficeScope, VisitLink {
  token: string;
}

/** Work for the patient of an episode. */
export interface EpisodeScope extends OfficeScope, EpisodeLink {}
export interface EpisodeCtx extends AnyoneCtx, EpisodeScope {}

export interface VisitorCtx extends AnyoneCtx, OfficeScope, VisitorToken {}

/** The context a handler gets, by who may call. */
export type CtxOf<Who extends Access> = {
  anyone: AnyoneCtx;
  person: PersonCtx;
  office: OfficeCtx;
  visit: VisitCtx;
  episode: EpisodeCtx;
  visitor: VisitorCtx;
}[Who];
