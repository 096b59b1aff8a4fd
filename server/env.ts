import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#server/kit/project-root.ts';
import { readVapid } from '#server/providers/push/vapid.ts';
import type { Vapid } from '#server/providers/push/web-push.ts';
import { readSmtp, type SmtpSettings } from '#server/providers/email/smtp-settings.ts';
import { readS3, type S3Settings } from '#server/providers/storage/s3-settings.ts';
import { readDropboxSign, type DropboxSignSettings } from '#server/providers/esign/dropbox-sign-settings.ts';

export interface Env {
  port: number;
  host: string;
  /** Where the world reaches this installation, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  /** The app's login to a PostgreSQL server of yours. Unset: the embedded one. */
  databaseUrl: string | undefined;
  /** The owner's login to the same database, for migrations, the demo's offices and the operator's commands. */
  migrateDatabaseUrl: string | undefined;
  productName: string;
  /** Who runs this installation: the business associate of the agreement. */
  operatorName: string;
  production: boolean;
  /** `/dev/*`, demo offices and helpers exist. */
  demo: boolean;
  /** Proxies in front whose X-Forwarded-* headers are believed (addresses or CIDR, comma-separated). */
  trustProxy: string | false;
  logLevel: string;
  /** After SIGTERM `/readyz` says no for so long before connections are closed: time for a load balancer to look elsewhere. */
  drainSeconds: number;
  /** The number sign-in codes are texted from, E.164; an office's own number is for its patients. */
  codeNumber: string;
  /** Set: mail leaves over SMTP. Unset: it stays in the outbox. */
  smtp: SmtpSettings | undefined;
  /** Set: files are kept in a bucket. Unset: below DATA_DIR. */
  s3: S3Settings | undefined;
  /** Set: agreements are signed with Dropbox Sign. Unset: with the local stand-in. */
  dropboxSign: DropboxSignSettings | undefined;
  /** Unset: no Google sign-in, but in the demo a stand-in. */
  google: GoogleSettings | undefined;
  /** Set: pushes leave for the browsers' push services. Unset: they stay in the outbox. */
  vapid: Vapid | undefined;
  /** Where the operator reads what visitors ask for; undefined: kept only. */
  operatorEmail: string | undefined;
  /** A number practices can call for support; undefined: none. */
  supportPhone: string | undefined;
  secrets: Secrets;
}

export interface Secrets {
  /** Keys one-time codes and cookies. */
  session: string;
  /** Chains the record; kept outside the database. */
  audit: string;
  /** Signs the local carriers' callbacks. */
  webhook: string;
}

/** Reads the environment (docs/operating.md). Throws a sentence an operator can act on. */
export function readEnv(from: NodeJS.ProcessEnv = process.env): Env {
  const port = Number(from.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`PORT must be a port number, it is "${from.PORT}"`);
  const production = from.NODE_ENV === 'production';
  const dataDir = from.DATA_DIR ?? join(projectRoot, '.data');
  const databaseUrl = from.DATABASE_URL || undefined;
  const migrateDatabaseUrl = from.MIGRATE_DATABASE_URL || undefined;
  if (migrateDatabaseUrl !== undefined && databaseUrl === undefined)
    throw new Error("MIGRATE_DATABASE_URL is set without DATABASE_URL: also give the app's login as DATABASE_URL");
  return {
    port,
    host: from.HOST ?? '0.0.0.0',
    publicUrl: (from.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl,
    migrateDatabaseUrl,
    productName: from.PRODUCT_NAME ?? 'Anteroom',
    operatorName: from.OPERATOR_NAME ?? from.PRODUCT_NAME ?? 'Anteroom',
    production,
    demo: from.DEMO === '1' || !production,
    trustProxy: from.TRUST_PROXY || false,
    logLevel: from.LOG_LEVEL ?? 'warn',
    drainSeconds: secondsOf(from, 'DRAIN_SECONDS', production ? 5 : 0),
    codeNumber: from.CODE_NUMBER ?? '+12125550100',
    smtp: readSmtp(from),
    s3: readS3(from),
    dropboxSign: readDropboxSign(from),
    google: readGoogle(from),
    vapid: readVapid(from, dataDir, databaseUrl !== undefined),
    supportPhone: from.SUPPORT_PHONE || undefined,
    operatorEmail: from.OPERATOR_EMAIL ?? (production && from.DEMO !== '1' ? undefined : 'operator@anteroom.test'),
    secrets: readSecrets(from, dataDir, databaseUrl !== undefined),
  };
}

function secondsOf(from: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const seconds = Number(from[name] ?? fallback);
  if (!(seconds >= 0 && seconds <= 3600))
    throw new Error(`${name} must be seconds from 0 to 3600, it is "${from[name]}"`);
  return seconds;
}

/** With nothing configured they are made once in DATA_DIR; with DATABASE_URL the environment must give them. */
function readSecrets(from: NodeJS.ProcessEnv, dataDir: string, mustBeGiven: boolean): Secrets {
  const names = { session: 'SESSION_SECRET', audit: 'AUDIT_SECRET', webhook: 'WEBHOOK_SECRET' } as const;
  const entries = Object.entries(names).map(([key, name]) => {
    const given = from[name];
    if (given !== undefined && given.length < 32)
      throw new Error(`${name} is too short: give at least 32 random characters`);
    if (given === undefined && mustBeGiven)
      throw new Error(`${name} is missing: with DATABASE_URL the environment must give it (32+ random characters)`);
    return [key, given ?? madeOnce(join(dataDir, 'secrets', key))];
  });
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
  /** Only accounts of this Google Workspace; null takes any. */
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
