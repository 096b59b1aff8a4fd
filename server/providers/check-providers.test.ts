import { expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';
import { checkProviders, openProviders } from './index.ts';

const real = {
  SMS_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  SMS_AUTH_TOKEN: 'token',
  CODE_NUMBER: '+12125550100',
  SMTP_URL: 'smtps://mail.test',
  EMAIL_FROM: 'desk@mail.test',
  DROPBOX_SIGN_API_KEY: 'key',
  DROPBOX_SIGN_CLIENT_ID: 'client',
};
const production = (more: NodeJS.ProcessEnv) =>
  readEnv({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://desk.test',
    DATABASE_URL: 'postgres://localhost/anteroom',
    SESSION_SECRET: 's'.repeat(40),
    AUDIT_SECRET: 'a'.repeat(40),
    WEBHOOK_SECRET: 'w'.repeat(40),
    ...more,
  });

test('production starts with every real provider that texts, email and signatures need', () => {
  expect(() => checkProviders(production(real))).not.toThrow();
});

test.each([
  ['text messages', { SMS_ACCOUNT_SID: undefined, SMS_AUTH_TOKEN: undefined, CODE_NUMBER: undefined }],
  ['email', { SMTP_URL: undefined, EMAIL_FROM: undefined }],
  ['signatures', { DROPBOX_SIGN_API_KEY: undefined, DROPBOX_SIGN_CLIENT_ID: undefined }],
])('production without a real provider for %s does not start, and names it', (what, without) => {
  expect(() => checkProviders(production({ ...real, ...without }))).toThrow(`no real provider for ${what} (`);
});

const money = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  FINIX_USERNAME: 'US1',
  FINIX_PASSWORD: 'p',
  FINIX_PROCESSOR: 'DUMMY_V1',
  FINIX_APPLICATION: 'AP1',
  ATHENA_CLIENT_ID: 'c',
  ATHENA_CLIENT_SECRET: 's',
};
/** The names of the providers of money that production opens. */
function moneyIn(more: NodeJS.ProcessEnv): string[] {
  const env = { ...production({ ...real, ...more }), dataDir: '/nowhere' };
  const { card, merchant, charges, practiceSoftware } = openProviders({ env, now: () => new Date() } as never);
  return [card, merchant, charges, practiceSoftware].map(({ name }) => name);
}

test('production with every real provider of money has no stand-in', () => {
  expect(moneyIn(money)).toEqual(['stripe', 'finix', 'finix', 'athena']);
});

test('production without a provider of money has none, and no stand-in says that money moved', () => {
  expect(moneyIn({})).toEqual(['off', 'off', 'off', 'off']);
});

test('production with Finix but without its card form does not start, unless stand-ins are allowed', () => {
  const half = { ...money, FINIX_APPLICATION: undefined };
  expect(() => moneyIn(half)).toThrow('FINIX_APPLICATION is missing');
  expect(moneyIn({ ...half, LOCAL_PROVIDERS: '1' })).toEqual(['stripe', 'finix', 'local', 'athena']);
});
