import { afterAll, expect, test } from 'vitest';
import { runCommand } from '#server/kit/command.ts';
import { openContractServer, specsDir } from '#testing/stand-ins/contract-server.ts';
import { stripeAnswers, stripeError } from '#testing/stand-ins/stripe-answers.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { smokeCommands } from './smoke-commands.ts';

const t = await openTestApp();
afterAll(() => t.close());

async function type(testApp: TestApp, ...args: string[]) {
  const lines: string[] = [];
  const desk = {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say: (line: string) => void lines.push(line),
  };
  const code = await runCommand(smokeCommands, ['smoke', ...args], desk);
  return { code, said: lines.map((line) => line.replace(/ \(\d+ ms\)$/, '').replace(/\s+/g, ' ')) };
}
const live = (env: NodeJS.ProcessEnv) => openTestApp({ url: t.url, env: { ...env, LOG_LEVEL: 'silent' } });

test('smoke card makes a customer once, and reads it, its invoices and the prices', async () => {
  const { said, code } = await type(t, 'card');
  const [, made = ''] = said;
  expect([code, said]).toEqual([
    0,
    [
      'provider local',
      expect.stringMatching(/^make cus_local_[0-9a-f]{32}$/),
      made.replace('make', 'make again'),
      'read found',
      'invoices 0',
      'prices $99.00 $149.00 $199.00',
    ],
  ]);
});

test('smoke merchant makes a form and a link, reads it, and finds no transfer', async () => {
  expect((await type(t, 'merchant')).said).toEqual([
    'provider local',
    expect.stringMatching(/^form \S+$/),
    expect.stringMatching(/^link until 2026-/),
    'read open',
    'charges local',
    'transfer none, as it should be',
  ]);
});

test('smoke practice-software lists the payment methods for cards', async () => {
  expect((await type(t, 'practice-software', '195900')).said).toEqual([
    'provider local',
    'card methods Visa, Mastercard, American Express, Discover',
  ]);
  await expect(type(t, 'practice-software', 'maple')).rejects.toThrow("Give the practice's number");
});

test.skipIf(!specsDir)('smoke card asks Stripe, with live keys only if it is told to', async () => {
  const vendor = await openContractServer('stripe-2026-10-28.openapi.json', { answers: stripeAnswers('new') });
  const keys = (kind: string) => ({
    STRIPE_SECRET_KEY: `sk_${kind}_1`,
    STRIPE_PUBLISHABLE_KEY: `pk_${kind}_1`,
    STRIPE_URL: vendor.url,
  });
  const careful = await live(keys('live'));
  await expect(type(careful, 'card')).rejects.toThrow('say --live');
  expect(vendor.calls).toEqual([]);
  expect((await type(careful, 'card', '--live')).said).toContain('make again cus_1');
  vendor.answer('POST /v1/customers', stripeError(401, { type: 'invalid_request_error' }));
  const test = await live(keys('test'));
  await expect(type(test, 'card')).rejects.toThrow('make: unauthorized');
  expect(vendor.problems()).toEqual([]);
  await careful.close();
  await test.close();
  await vendor.close();
});

test.skipIf(!specsDir)('smoke merchant asks Finix for a form and a transfer', async () => {
  const vendor = await openContractServer('finix.openapi.json');
  vendor.answer('listTransfers', { body: { _embedded: { transfers: [] } } });
  const finix = await live({
    FINIX_USERNAME: 'US1',
    FINIX_PASSWORD: 'p',
    FINIX_PROCESSOR: 'DUMMY_V1',
    FINIX_APPLICATION: 'AP1',
    FINIX_URL: vendor.url,
  });
  const { said } = await type(finix, 'merchant');
  expect(said).toContain('charges finix');
  expect(said.at(-1)).toBe('transfer none, as it should be');
  expect(vendor.problems()).toEqual([]);
  await finix.close();
  await vendor.close();
});

test.skipIf(!specsDir)('smoke practice-software asks athenahealth', async () => {
  const vendor = await openContractServer('athenahealth-recordpayment.derived.openapi.json');
  const athena = await live({ ATHENA_CLIENT_ID: 'c', ATHENA_CLIENT_SECRET: 's', ATHENA_URL: vendor.url });
  expect((await type(athena, 'practice-software', '195900')).said).toEqual([
    'provider athena',
    'card methods American Express, Discover, MasterCard and Visa',
  ]);
  expect(vendor.problems()).toEqual([]);
  await athena.close();
  await vendor.close();
});
