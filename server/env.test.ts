import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isLoopback } from '#server/kit/http/loopback.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { startProcess } from '#testing/app/process.ts';
import { checkPublicStart, readEnv } from './env.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'anteroom-env-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const secrets = { SESSION_SECRET: 's'.repeat(40), AUDIT_SECRET: 'a'.repeat(40), WEBHOOK_SECRET: 'w'.repeat(40) };
const vapid = { VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '' };
const smtp = { SMTP_URL: 'smtp://user:secret@127.0.0.1:2525', EMAIL_FROM: 'Front <front@maple.example>' };
const bucket = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };
const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const finix = { FINIX_USERNAME: 'US1', FINIX_PASSWORD: 'secret', FINIX_PROCESSOR: 'DUMMY_V1' };
const athena = { ATHENA_CLIENT_ID: 'client', ATHENA_CLIENT_SECRET: 'secret' };
const database = { DATABASE_URL: 'postgres://anteroom_app:x@127.0.0.1/anteroom' };

const start = (given: NodeJS.ProcessEnv) => {
  const from = { DATA_DIR: dataDir, ...secrets, ...vapid, ...given };
  const env = readEnv(from);
  checkPublicStart(env, from);
  return env;
};

describe('the demo', () => {
  test.each<NodeJS.ProcessEnv>([
    {},
    { HOST: '127.0.0.1', PUBLIC_URL: 'http://127.0.0.1:3000' },
    { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' },
    { HOST: 'localhost', PUBLIC_URL: 'http://demo.localhost:3000' },
    { DEMO: '' },
    { DEMO: '1', ...database },
    { DEMO: '1', ...smtp },
    { DEMO: '1', ...bucket },
    { DEMO: '1', PUBLIC_URL: 'https://demo.example' },
    { DEMO: '1', HOST: '0.0.0.0' },
    { DEMO: '1', NODE_ENV: 'production', PUBLIC_URL: 'https://demo.example' },
  ])('the demo starts with %j', (given) => expect(start(given).demo).toBe(true));

  test('a pooled database has a direct address beside it, and statements without names on request', () => {
    const direct = { DATABASE_DIRECT_URL: 'postgres://anteroom_app:x@127.0.0.2/anteroom' };
    const pooled = start({ ...database, ...direct, DATABASE_PREPARE: '0', NODE_ENV: 'production' });
    expect(pooled).toMatchObject({ databaseDirectUrl: direct.DATABASE_DIRECT_URL, preparesStatements: false });
    expect(start({ ...database, NODE_ENV: 'production' })).toMatchObject({
      databaseDirectUrl: undefined,
      preparesStatements: true,
    });
    expect(() => start(direct)).toThrow('DATABASE_DIRECT_URL is set without DATABASE_URL');
    expect(() => start({ ...database, DATABASE_PREPARE: 'no' })).toThrow('DATABASE_PREPARE must be 0 or 1');
  });

  test.each<[NodeJS.ProcessEnv, string]>([
    [database, 'DATABASE_URL is set'],
    [smtp, 'SMTP_URL is set'],
    [bucket, 'S3_BUCKET is set'],
    [stripe, 'STRIPE_SECRET_KEY is set'],
    [finix, 'FINIX_USERNAME is set'],
    [athena, 'ATHENA_CLIENT_ID is set'],
    [{ FHIR_SERVER_URL: 'https://fhir.example/r4' }, 'FHIR_SERVER_URL is set'],
    [{ PUBLIC_URL: 'https://clinic.example' }, 'an https PUBLIC_URL is set'],
    [{ PUBLIC_URL: 'https://localhost:3000' }, 'an https PUBLIC_URL is set'],
    [{ PUBLIC_URL: 'http://clinic.example' }, 'a PUBLIC_URL other than localhost is set'],
    [{ PUBLIC_URL: 'http://localhost.evil.example' }, 'a PUBLIC_URL other than localhost is set'],
    [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0 is set'],
    [{ HOST: '::' }, 'HOST=:: is set'],
    [{ HOST: '192.168.1.7', ...database }, 'DATABASE_URL and HOST=192.168.1.7 are set'],
    [{ DEMO: '0' }, 'DEMO=0 is set'],
  ])('the demo does not start by itself with %j: the error names the variable to add', (given, mentioned) => {
    expect(() => start(given)).toThrow(mentioned);
    expect(() => start(given)).toThrow(/Add NODE_ENV=production .* or DEMO=1 /);
    expect(() => start(given)).not.toThrow(/secret|sk_test_1/);
    const production = start({ ...given, NODE_ENV: 'production' });
    expect(production).toMatchObject({ production: true, demo: false });
    expect(start({ ...given, DEMO: '1' }).demo).toBe(true);
  });

  test('the demo listens on this machine only unless HOST is set; production listens everywhere', () => {
    expect(start({}).host).toBe('127.0.0.1');
    expect(start({ DEMO: '1', ...database }).host).toBe('127.0.0.1');
    expect(start({ NODE_ENV: 'production' }).host).toBe('0.0.0.0');
    expect(start({ NODE_ENV: 'production', HOST: '10.0.0.7' }).host).toBe('10.0.0.7');
  });

  test.each([
    ['localhost', true],
    ['LOCALHOST', true],
    ['a.localhost', true],
    ['127.9.9.9', true],
    ['[::1]', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['', false],
  ])('isLoopback of %j is %j', (host, own) => expect(isLoopback(host)).toBe(own));
});

describe('production without real providers', () => {
  const open = async (given: NodeJS.ProcessEnv) => {
    const testApp = await openTestApp({ env: { NODE_ENV: 'production', LOCAL_PROVIDERS: '', ...given } });
    await testApp.close();
  };

  test('production without real providers is refused, naming each missing variable', async () => {
    await expect(open({})).rejects.toThrow(
      /text messages \(set SMS_ACCOUNT_SID, SMS_AUTH_TOKEN and CODE_NUMBER\), email \(set SMTP_URL\), signatures \(set DROPBOX_SIGN_API_KEY and DROPBOX_SIGN_CLIENT_ID\)\. Add LOCAL_PROVIDERS=1/,
    );
    await expect(open(smtp)).rejects.toThrow(
      /text messages \(set SMS_ACCOUNT_SID, SMS_AUTH_TOKEN and CODE_NUMBER\), signatures/,
    );
  });

  test.each<NodeJS.ProcessEnv>([{ LOCAL_PROVIDERS: '1' }, { DEMO: '1' }])(
    'production without real providers is allowed with %j',
    async (given) => {
      await open(given);
    },
  );
});

describe('the server process', () => {
  test.each<[NodeJS.ProcessEnv, RegExp]>([
    [
      { DEMO: '', PUBLIC_URL: 'https://clinic.example' },
      /did not start: an https PUBLIC_URL is set.*NODE_ENV=production.*DEMO=1/s,
    ],
    [{ DEMO: '', HOST: '0.0.0.0' }, /did not start: HOST=0.0.0.0 is set/],
    [{ NODE_ENV: 'production', LOCAL_PROVIDERS: '' }, /did not start: no real provider for text messages/],
    [{ SESSION_SECRET: undefined, AUDIT_SECRET: 'short' }, /did not start: AUDIT_SECRET is too short/],
    [{ SESSION_SECRET: undefined, VAPID_SUBJECT: 'nobody' }, /did not start: VAPID_SUBJECT must be/],
    [
      { SESSION_SECRET: undefined, DATABASE_URL: 'postgres://anteroom_app:x@127.0.0.1:1/x', NODE_ENV: 'production' },
      /did not start: SESSION_SECRET is missing/,
    ],
  ])('the server process does not start with %j', async (given, mentioned) => {
    const untouched = join(dataDir, 'untouched');
    await expect(startProcess(null, { DATA_DIR: untouched, ...given })).rejects.toThrow(mentioned);
    expect(existsSync(untouched)).toBe(false);
  });
});
