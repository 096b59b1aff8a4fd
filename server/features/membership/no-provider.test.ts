import { afterAll, expect, test } from 'vitest';
import { createCustomer, readMembership, readPrices, savePaymentMethod } from '#contract/membership.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp({
  env: {
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '',
    PUBLIC_URL: 'https://desk.test',
    DATABASE_URL: 'postgres://localhost/anteroom',
    SESSION_SECRET: 's'.repeat(40),
    AUDIT_SECRET: 'a'.repeat(40),
    WEBHOOK_SECRET: 'w'.repeat(40),
    SMS_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    SMS_AUTH_TOKEN: 'token',
    CODE_NUMBER: '+12125550100',
    SMTP_URL: 'smtps://mail.test',
    EMAIL_FROM: 'desk@mail.test',
    DROPBOX_SIGN_API_KEY: 'key',
    DROPBOX_SIGN_CLIENT_ID: 'client',
  },
});
afterAll(() => testApp.close());

test('in production without a card provider there are no plans, and no card can be saved', async () => {
  const { body } = await testApp.call(readMembership);
  expect(body).toMatchObject({ cardPage: null, prices: { pilot: null, lite: null, prime: null } });
  const { body: prices } = await testApp.call(readPrices, { params: { card: 'off' }, query: {} });
  expect(prices).toEqual({ pilot: null, lite: null, prime: null });
  const made = await testApp.call(createCustomer, { params: { card: 'off' }, body: {} });
  const params = { card: 'off', customerId: made.body.customerId };
  const saved = await testApp.call(savePaymentMethod, { params, body: { token: 'tok_local_1', name: 'Dana' } });
  expect(saved.status).toBeGreaterThanOrEqual(400);
  expect((await testApp.call(readPrices, { params: { card: 'local' }, query: {} })).status).toBe(404);
});
