import { expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';
import { checkProviders } from './index.ts';

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
