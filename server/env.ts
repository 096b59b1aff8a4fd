import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '#server/kit/http/loopback.ts';
import { dataDirOf } from '#server/kit/project-root.ts';
import { readPushServices } from '#server/providers/push/push-services.ts';
import { checkVapid, readVapid } from '#server/providers/push/vapid.ts';
import type { Vapid } from '#server/providers/push/web-push.ts';
import { readSmtp, type SmtpSettings } from '#server/providers/email/smtp-settings.ts';
import { readS3, type S3Settings } from '#server/providers/storage/s3-settings.ts';
import { readStripe, type StripeSettings } from '#server/providers/card/stripe-settings.ts';
import { readDropboxSign, type DropboxSignSettings } from '#server/providers/esign/dropbox-sign-settings.ts';
import { readFhirServer, type FhirServerSettings } from '#server/providers/fhir/settings.ts';
import { readAthena, type AthenaSettings } from '#server/providers/practice-software/athena-settings.ts';
import { readFinix, type FinixSettings } from '#server/providers/merchant/finix-settings.ts';
import { readTerminology, type TerminologySettings } from '#server/providers/terminology/settings.ts';
import { readTwilio, type TwilioSettings } from '#server/providers/sms/twilio-settings.ts';

export interface Env {
  port: number;
  host: string;
  /** The public URL of this installation, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  /** The app's login to an external PostgreSQL server. Unset: the embedded one. */
  databaseUrl: string | undefined;
  /** The same login and database without a pooler in between, to listen for hints. Unset: `databaseUrl`. */
  databaseDirectUrl: string | undefined;
  /** Whether statements are prepared under a name. A pooler that knows no named statements needs `false`. */
  preparesStatements: boolean;
  /** The owner's login to the same database, for migrations, the demo's offices and the operator's commands. */
  migrateDatabaseUrl: string | undefined;
  productName: string;
  /** The operator of this installation: the business associate in the agreement. */
  operatorName: string;
  production: boolean;
  /** Enables `/dev/*`, the demo offices and helpers. */
  demo: boolean;
  /** In production: local providers may replace text messages, email and signatures that are not configured. */
  localProviders: boolean;
  /** In production: where `/metrics` and `/api/docs` are served. Undefined: nowhere. Otherwise they are on the main port. */
  operatorListen: { host: string; port: number } | undefined;
  /** The proxies whose X-Forwarded-* headers are trusted (addresses or CIDR, comma-separated). */
  trustProxy: string | false;
  logLevel: string;
  /** After SIGTERM `/readyz` answers 503 for this long before connections close, so that a load balancer can stop using it. */
  drainSeconds: number;
  /** The sender of sign-in codes, E.164; an office's own number is for its patients. */
  codeNumber: string;
  /** Text segments a day of all practices together that nobody has confirmed. */
  unconfirmedSegmentsPerDay: number;
  /** Sign-in codes a day to devices that we do not know, and as many codes in website chats: segments of texts, and emails. */
  codesPerDay: number;
  /** Set: texts leave through Twilio. Unset: they stay in the outbox. */
  twilio: TwilioSettings | undefined;
  /** Set: email is sent over SMTP. Unset: it stays in the outbox. */
  smtp: SmtpSettings | undefined;
  /** Set: files are stored in a bucket. Unset: below DATA_DIR. */
  s3: S3Settings | undefined;
  /** Set: agreements are signed with Dropbox Sign. Unset: with the local stand-in. */
  dropboxSign: DropboxSignSettings | undefined;
  /** Set: practices take card payments through Finix. Unset: the local stand-in, or none in production. */
  finix: FinixSettings | undefined;
  /** Set: practices pay for their plans through Stripe. Unset: the local stand-in, or none in production. */
  stripe: StripeSettings | undefined;
  /** Set: payments are recorded in athenahealth. Unset: in the local stand-in, or nowhere in production. */
  athena: AthenaSettings | undefined;
  /** Set: the desk can post filed forms to this FHIR server. */
  fhirServer: FhirServerSettings | undefined;
  /** Set: the answers of value sets that a questionnaire only names come from this terminology server. */
  terminology: TerminologySettings | undefined;
  /** Unset: no Google sign-in, except the demo's stand-in. */
  google: GoogleSettings | undefined;
  /** Set: pushes are sent to the browsers' push services. Unset: they stay in the outbox. */
  vapid: Vapid | undefined;
  /** Push services besides those of the known browsers: host names, `*.` for any subdomain. */
  pushServices: readonly string[];
  /** The operator's email address for demo requests and support; undefined: requests are only stored. */
  operatorEmail: string | undefined;
  /** A number practices can call for support, if any. */
  supportPhone: string | undefined;
  secrets: Secrets;
}

export interface Secrets {
  /** The key for one-time codes and cookies. */
  session: string;
  /** The key of the audit log's chain; stored outside the database. */
  audit: string;
  /** Signs the local carriers' callbacks. */
  webhook: string;
}

/** Everything except the keys, which may have to be generated in a file. */
export type Settings = Omit<Env, 'secrets' | 'vapid'>;

/** Reads the environment (docs/operating.md) and generates missing secrets. Throws a message an operator can act on. */
export function readEnv(from: NodeJS.ProcessEnv = process.env): Env {
  const settings = readSettings(from);
  const { dataDir, databaseUrl } = settings;
  return {
    ...settings,
    vapid: readVapid(from, dataDir, databaseUrl !== undefined),
    secrets: readSecrets(from, dataDir),
  };
}

/**
 * Reads the environment and checks all of it without touching the disk: a start that is refused leaves no DATA_DIR behind. Throws a
 * sentence an operator can act on.
 */
export function readSettings(from: NodeJS.ProcessEnv = process.env): Settings {
  const production = from.NODE_ENV === 'production';
  const network = readNetwork(from, production);
  const database = readDatabase(from);
  checkVapid(from, database.databaseUrl !== undefined);
  checkSecrets(from, database.databaseUrl !== undefined);
  return {
    ...network,
    ...database,
    ...readNames(from, production),
    dataDir: dataDirOf(from),
    production,
    demo: from.DEMO ? from.DEMO === '1' : !production && publicSettings(from).length === 0,
    localProviders: from.LOCAL_PROVIDERS === '1',
    logLevel: from.LOG_LEVEL ?? 'warn',
    drainSeconds: secondsOf(from, 'DRAIN_SECONDS', production ? 5 : 0),
    codeNumber: from.CODE_NUMBER ?? '+12125550100',
    unconfirmedSegmentsPerDay: countOf(from, 'UNCONFIRMED_SEGMENTS_PER_DAY', 5_000),
    codesPerDay: countOf(from, 'CODES_PER_DAY', 10_000),
    twilio: readTwilio(from, network.publicUrl),
    smtp: readSmtp(from),
    s3: readS3(from),
    dropboxSign: readDropboxSign(from),
    finix: readFinix(from),
    stripe: readStripe(from),
    athena: readAthena(from),
    fhirServer: readFhirServer(from),
    terminology: readTerminology(from),
    google: readGoogle(from),
    pushServices: readPushServices(from),
  };
}

type Network = Pick<Settings, 'port' | 'host' | 'publicUrl' | 'operatorListen' | 'trustProxy'>;

function readNetwork(from: NodeJS.ProcessEnv, production: boolean): Network {
  const port = portOf(from, 'PORT') ?? 3000;
  const publicUrl = (from.PUBLIC_URL || `http://localhost:${port}`).replace(/\/+$/, '');
  if (!URL.canParse(publicUrl)) throw new Error(`PUBLIC_URL must be an address, it is "${from.PUBLIC_URL}"`);
  const operatorPort = portOf(from, 'OPERATOR_PORT');
  return {
    port,
    host: from.HOST || (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    operatorListen:
      production && operatorPort !== undefined
        ? { host: from.OPERATOR_HOST || '127.0.0.1', port: operatorPort }
        : undefined,
    trustProxy: from.TRUST_PROXY || false,
  };
}

type DatabaseSettings = Pick<
  Settings,
  'databaseUrl' | 'databaseDirectUrl' | 'migrateDatabaseUrl' | 'preparesStatements'
>;

function readDatabase(from: NodeJS.ProcessEnv): DatabaseSettings {
  const databaseUrl = from.DATABASE_URL || undefined;
  const migrateDatabaseUrl = from.MIGRATE_DATABASE_URL || undefined;
  if (migrateDatabaseUrl !== undefined && databaseUrl === undefined)
    throw new Error("MIGRATE_DATABASE_URL is set without DATABASE_URL: also give the app's login as DATABASE_URL");
  const databaseDirectUrl = from.DATABASE_DIRECT_URL || undefined;
  if (databaseDirectUrl !== undefined && databaseUrl === undefined)
    throw new Error('DATABASE_DIRECT_URL is set without DATABASE_URL: it is the same login without the pooler');
  const prepare = from.DATABASE_PREPARE || '1';
  if (!/^[01]$/.test(prepare)) throw new Error(`DATABASE_PREPARE must be 0 or 1, it is "${prepare}"`);
  return { databaseUrl, databaseDirectUrl, migrateDatabaseUrl, preparesStatements: prepare === '1' };
}

type Names = Pick<Settings, 'productName' | 'operatorName' | 'operatorEmail' | 'supportPhone'>;

function readNames(from: NodeJS.ProcessEnv, production: boolean): Names {
  return {
    productName: from.PRODUCT_NAME ?? 'Anteroom',
    operatorName: from.OPERATOR_NAME ?? from.PRODUCT_NAME ?? 'Anteroom',
    operatorEmail: from.OPERATOR_EMAIL ?? (production && from.DEMO !== '1' ? undefined : 'operator@anteroom.test'),
    supportPhone: from.SUPPORT_PHONE || undefined,
  };
}

/**
 * The demo shows every sign-in code to whoever can reach it, so it starts by itself only where nobody else can. Throws if the
 * environment looks like a real installation but does not say which of the two it is.
 */
export function checkPublicStart(env: Pick<Env, 'production' | 'demo'>, from: NodeJS.ProcessEnv = process.env): void {
  if (env.production || env.demo) return;
  const settings = [...publicSettings(from), ...(from.DEMO ? [`DEMO=${from.DEMO}`] : [])];
  throw new Error(
    `${settings.join(' and ')} ${settings.length > 1 ? 'are' : 'is'} set, but neither NODE_ENV=production nor DEMO=1. Add NODE_ENV=production for a practice's ` +
      `real data, or DEMO=1 for made-up data that everybody who can reach this server may see, sign-in codes included.`,
  );
}

/** Names of what only a real installation has: its database, and accounts that text, email, store files or move money. */
const realSettings = [
  'DATABASE_URL',
  'SMTP_URL',
  'SMS_ACCOUNT_SID',
  'S3_BUCKET',
  'STRIPE_SECRET_KEY',
  'FINIX_USERNAME',
  'ATHENA_CLIENT_ID',
  'FHIR_SERVER_URL',
] as const;

/** The settings that may expose this server or its data to others, by name: keys are not shown. */
function publicSettings(from: NodeJS.ProcessEnv): string[] {
  const settings: string[] = realSettings.filter((name) => from[name]);
  if (from.PUBLIC_URL) {
    const { protocol, hostname } = new URL(from.PUBLIC_URL);
    if (protocol === 'https:') settings.push('an https PUBLIC_URL');
    else if (!isLoopback(hostname)) settings.push('a PUBLIC_URL other than localhost');
  }
  if (from.HOST && !isLoopback(from.HOST)) settings.push(`HOST=${from.HOST}`);
  return settings;
}

function portOf(from: NodeJS.ProcessEnv, name: string): number | undefined {
  if (!from[name]) return undefined;
  const port = Number(from[name]);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`${name} must be a port number, it is "${from[name]}"`);
  return port;
}

function countOf(from: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const count = Number(from[name] || fallback);
  if (!Number.isInteger(count) || count < 0 || count > 1_000_000_000)
    throw new Error(`${name} must be a whole number, it is "${from[name]}"`);
  return count;
}

function secondsOf(from: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const seconds = Number(from[name] ?? fallback);
  if (!(seconds >= 0 && seconds <= 3600))
    throw new Error(`${name} must be seconds from 0 to 3600, it is "${from[name]}"`);
  return seconds;
}

const secretNames = { session: 'SESSION_SECRET', audit: 'AUDIT_SECRET', webhook: 'WEBHOOK_SECRET' } as const;

function checkSecrets(from: NodeJS.ProcessEnv, mustBeGiven: boolean): void {
  for (const name of Object.values(secretNames)) {
    const secret = from[name];
    if (secret !== undefined && secret.length < 32)
      throw new Error(`${name} is too short: give at least 32 random characters`);
    if (secret === undefined && mustBeGiven)
      throw new Error(`${name} is missing: with DATABASE_URL the environment must give it (32+ random characters)`);
  }
}

/** Without configuration they are generated once in DATA_DIR; with DATABASE_URL the environment must set them. */
function readSecrets(from: NodeJS.ProcessEnv, dataDir: string): Secrets {
  const entries = Object.entries(secretNames).map(([key, name]) => [
    key,
    from[name] ?? madeOnce(join(dataDir, 'secrets', key)),
  ]);
  return Object.fromEntries(entries) as Secrets;
}

function madeOnce(file: string): string {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

export interface GoogleSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Accepts only accounts of this Google Workspace; null accepts any. */
  hostedDomain: string | null;
}

function readGoogle(from: NodeJS.ProcessEnv): GoogleSettings | undefined {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = from;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) throw new Error('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: give both');
  const issuer = from.GOOGLE_ISSUER || 'https://accounts.google.com';
  if (!URL.canParse(issuer)) throw new Error(`GOOGLE_ISSUER must be an address, it is "${issuer}"`);
  return { issuer, clientId, clientSecret, hostedDomain: from.GOOGLE_HOSTED_DOMAIN || null };
}
