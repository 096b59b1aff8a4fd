import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addressAnswers, detailsAnswers } from '#testing/fixtures/merchant.ts';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import { finixCallback, finixKey, finixToken, merchantEvent } from '#testing/stand-ins/finix-callback.ts';
import { finixMerchant } from './finix.ts';
import { readFinix } from './finix-settings.ts';
import { openMerchant } from './index.ts';
import { MerchantRefused, MerchantSignatureInvalid, type Merchant } from './port.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const reference = '0195a1de-0000-7000-8000-000000000001.0195a1de-0000-7000-8000-000000000002';
const about = { reference, createdAt: new Date('2026-03-01T09:30:00.000Z'), identityId: null, merchantId: null };
const links = {
  returnUrl: 'https://anteroom.example/finix-forms?state=a',
  expiredUrl: 'https://anteroom.example/finix-forms?expired=true&state=a',
  termsUrl: 'https://anteroom.example/document?file=terms.pdf',
};
const settings = {
  username: 'USsRhsHYZGBPnQw8CByJyEQW',
  password: 'secret',
  processor: 'DUMMY_V1',
  feesUrl: 'https://anteroom.example/fees',
  dashboardUrl: 'https://finix.payments-dashboard.com/',
  applicationId: 'AP1',
  webhook: { signingKey: finixKey, transfersKey: finixKey, authorization: `Bearer ${finixToken}` },
};
const open = (url: string, patienceMs?: number): Merchant =>
  finixMerchant({ now: () => now }, { ...settings, url }, patienceMs);
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof MerchantRefused ? error.reason : error),
  );

describe.skipIf(!specsDir)('against the published contract of Finix', () => {
  let vendor: ContractServer;
  let finix: Merchant;
  beforeAll(async () => {
    vendor = await openContractServer('finix.openapi.json');
    finix = open(vendor.url);
  });
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());

  const create = () =>
    finix.createForm({
      operationId: 'op_1',
      reference,
      language: 'en',
      prefill: { npi: '1234567893', address: addressAnswers, details: detailsAnswers },
      links,
    });
  /** Scripts a completed form, with the accounts at the vendor. */
  const completed = (state: string, form: object = {}, identities: object[] = []) => {
    const body = {
      id: 'obf_1',
      status: 'COMPLETED',
      tags: { npi: '1234567893', reference, operation: 'op_1' },
      ...form,
    };
    vendor.answer('getOnboardingForm', { body });
    vendor.answer('listIdentities', { body: { page: { limit: 100, next_cursor: null }, _embedded: { identities } } });
    const merchants = [
      { id: 'MUother', identity: 'IDother', onboarding_state: 'REJECTED' },
      { id: 'MUours', identity: 'IDours', onboarding_state: state },
    ];
    vendor.answer('listMerchants', { body: { page: { limit: 100, next_cursor: null }, _embedded: { merchants } } });
  };

  test('createForm sends the prefilled answers, the links and our reference as the contract requires', async () => {
    expect(await create()).toEqual({
      formId: 'obf_jJHv5y5xCTVsga8FFim9X9',
      link: { url: expect.stringMatching(/^https:\/\//), expiresAt: new Date('2022-10-11T05:30:14.687Z') },
    });
    expect(vendor.problems()).toEqual([]);
    const [{ headers, body } = { headers: {}, body: {} }] = vendor.calls;
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`${settings.username}:secret`).toString('base64')}`,
      'finix-version': '2022-02-01',
      'content-type': 'application/json',
    });
    expect(body).toMatchObject({
      merchant_processors: [{ processor: 'DUMMY_V1' }],
      onboarding_data: {
        entity: {
          business_name: 'Maple Street Pediatrics LLC',
          business_phone: '2125550190',
          business_address: { line1: '48 Maple Street', region: 'NY', postal_code: '11201', country: 'USA' },
        },
      },
      onboarding_link_details: {
        return_url: links.returnUrl,
        expired_session_url: links.expiredUrl,
        expiration_in_minutes: '60',
        fee_details_url: settings.feesUrl,
      },
      tags: { npi: '1234567893', reference, operation: 'op_1' },
    });
  });

  test('createLink asks for an hour, as a number', async () => {
    const link = await finix.createLink('obf_1', { language: 'en', links });
    expect(link.url).toMatch(/^https:\/\//);
    expect(vendor.problems()).toEqual([]);
    expect(vendor.calls[0]).toMatchObject({
      operation: 'createOnboardingFormLink',
      body: { expiration_in_minutes: 60, return_url: links.returnUrl },
    });
  });

  test('a form without a link is a failure', async () => {
    for (const onboarding_link of [undefined, {}, { link_url: '' }, { link_url: 'javascript:alert(1)' }]) {
      vendor.answer('createOnboardingForm', { body: { id: 'obf_1', status: 'IN_PROGRESS', onboarding_link } });
      expect(await reasonOf(create())).toBe('other');
    }
  });

  test('a form that is not submitted has no identity', async () => {
    expect(await finix.readForm('obf_1', about)).toMatchObject({ state: 'open', identityId: null, bank: null });
    expect(vendor.calls.map(({ operation }) => operation)).toEqual(['getOnboardingForm']);
  });

  test.each([
    ['PROVISIONING', 'processing'],
    ['APPROVED', 'approved'],
    ['REJECTED', 'rejected'],
    ['UPDATE_REQUESTED', 'update-requested'],
  ])('a merchant in %s is %s', async (theirs, state) => {
    completed(theirs, { identity_id: 'IDours' });
    expect(await finix.readForm('obf_1', about)).toEqual({
      state,
      reference,
      identityId: 'IDours',
      merchantId: 'MUours',
      bank: { lastFour: null },
    });
    expect(vendor.problems()).toEqual([]);
  });

  test('a form that is filled in again because of an update request is as its merchant is', async () => {
    vendor.answer('getOnboardingForm', { body: { id: 'obf_1', status: 'IN_PROGRESS', tags: { reference } } });
    vendor.answer('getMerchant', { body: { id: 'MUours', identity: 'IDours', onboarding_state: 'UPDATE_REQUESTED' } });
    const known = { ...about, identityId: 'IDours', merchantId: 'MUours' };
    expect(await finix.readForm('obf_1', known)).toMatchObject({ state: 'update-requested', merchantId: 'MUours' });
  });

  test('an identity that the form does not name is found by our reference in its tags', async () => {
    completed('APPROVED', {}, [
      { id: 'IDx', tags: null },
      { id: 'IDours', tags: { reference } },
    ]);
    expect(await finix.readForm('obf_1', about)).toMatchObject({ state: 'approved', identityId: 'IDours' });
    expect(vendor.problems()).toEqual([]);
    expect(vendor.calls[1]?.query).toEqual({ 'created_at.gte': '2026-03-01T09:30:00', limit: 100 });
  });

  test('a known account is read by its id, however many identities there are', async () => {
    completed('REJECTED');
    vendor.answer('getMerchant', { body: { id: 'MUours', identity: 'IDours', onboarding_state: 'APPROVED' } });
    const known = { ...about, identityId: 'IDours', merchantId: 'MUours' };
    const ours = { state: 'approved', identityId: 'IDours', merchantId: 'MUours' };
    expect(await finix.readForm('obf_1', known)).toMatchObject(ours);
    expect(vendor.calls.map(({ operation }) => operation)).toEqual(['getOnboardingForm', 'getMerchant']);
    expect(vendor.calls[1]?.path).toBe('/merchants/MUours');
  });

  test('a known identity is not searched for', async () => {
    completed('APPROVED');
    expect(await finix.readForm('obf_1', { ...about, identityId: 'IDours' })).toMatchObject({ state: 'approved' });
    expect(vendor.calls.map(({ operation }) => operation)).toEqual(['getOnboardingForm', 'listMerchants']);
  });

  test('an identity is found on a later page, and after twenty pages the search ends', async () => {
    completed('APPROVED');
    const page = (identities: object[]) => ({ body: { page: { next_cursor: 'c2' }, _embedded: { identities } } });
    vendor.answer('listIdentities', page([{ id: 'IDx' }]), page([{ id: 'IDours', tags: { reference } }]));
    expect(await finix.readForm('obf_1', about)).toMatchObject({ state: 'approved', identityId: 'IDours' });
    expect(vendor.calls[2]?.query).toMatchObject({ after_cursor: 'c2' });
    vendor.forget();
    completed('APPROVED');
    vendor.answer('listIdentities', ...Array.from({ length: 21 }, () => page([{ id: 'IDx' }])));
    expect(await finix.readForm('obf_1', about)).toMatchObject({ state: 'processing', identityId: null });
    expect(vendor.calls).toHaveLength(21);
  });

  test('a completed form whose identity is not there yet is processing', async () => {
    completed('APPROVED');
    expect(await finix.readForm('obf_1', about)).toMatchObject({ state: 'processing', identityId: null });
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [406, 'invalid'],
    [422, 'invalid'],
    [429, 'rate'],
    [418, 'other'],
  ])('status %i is %s', async (status, reason) => {
    vendor.answer('createOnboardingForm', { status, body: { _embedded: { errors: [{ code: 'UNKNOWN' }] } } });
    expect(await reasonOf(create())).toBe(reason);
  });

  test('a read is repeated once after a failure, a creation is not', async () => {
    vendor.answer('getOnboardingForm', { status: 503, body: 'away' });
    expect((await finix.readForm('obf_1', about)).state).toBe('open');
    vendor.answer('createOnboardingForm', { instead: 'cut' });
    expect(await reasonOf(create())).toBe('unreachable');
    expect(vendor.calls.filter(({ operation }) => operation === 'createOnboardingForm')).toHaveLength(1);
  });

  test('broken JSON, another shape and silence are unreachable', async () => {
    for (const body of ['<html>', '{"id":', { odd: true }]) {
      vendor.answer('createOnboardingForm', { body });
      expect(await reasonOf(create())).toBe('unreachable');
    }
    vendor.answer('createOnboardingForm', { instead: 'silence' });
    const hasty = open(vendor.url, 50);
    const ask = {
      operationId: 'op_1',
      reference,
      language: 'en' as const,
      prefill: { npi: '1', address: null, details: null },
      links,
    };
    expect(await reasonOf(hasty.createForm(ask))).toBe('unreachable');
  });
});

describe('callbacks of Finix', () => {
  const finix = open('http://127.0.0.1:9');
  const event = merchantEvent('underwritten', { id: 'MUours', identity: 'IDours' });

  test('an event says what to look at, with the same key when it is repeated', () => {
    const heard = finix.readCallback(finixCallback(event, now));
    expect(heard).toEqual({ key: 'merchant:event_1', type: 'merchant.underwritten', about: ['MUours', 'IDours'] });
    expect(finix.readCallback(finixCallback(event, now))).toEqual(heard);
    const form = { entity: 'onboarding_form', type: 'updated', _embedded: { onboarding_forms: [{ id: 'obf_1' }] } };
    expect(finix.readCallback(finixCallback(form, now))?.about).toEqual(['obf_1']);
  });

  test('the empty test of a new webhook and events about something else are accepted and ignored', () => {
    const { headers } = finixCallback('', now);
    const { 'finix-signature': _unsigned, ...login } = headers;
    expect(finix.readCallback({ headers: login, rawBody: Buffer.alloc(0) })).toBeNull();
    expect(finix.readCallback({ headers: login, rawBody: Buffer.from('{}') })).toBeNull();
    const settlement = { entity: 'settlement', type: 'created', _embedded: { settlements: [{ id: 'ST1' }] } };
    expect(finix.readCallback(finixCallback(settlement, now))).toBeNull();
    expect(finix.readCallback(finixCallback('not json', now))).toBeNull();
  });

  test('a tampered, late, unsigned or unauthorized event is refused', () => {
    const good = finixCallback(event, now);
    const forged = [
      { ...good, rawBody: Buffer.from(JSON.stringify({ ...event, id: 'event_2' })) },
      finixCallback(event, new Date(now.getTime() - 301_000)),
      finixCallback(event, new Date(now.getTime() + 301_000)),
      finixCallback(event, now, { authorization: 'Bearer another' }),
      finixCallback(event, now, { authorization: '' }),
      finixCallback(event, now, { 'finix-signature': '' }),
      finixCallback(event, now, { 'finix-signature': 'sig=00' }),
      { headers: {}, rawBody: Buffer.alloc(0) },
    ];
    for (const call of forged) expect(() => finix.readCallback(call)).toThrow(MerchantSignatureInvalid);
  });

  test('without the settings for callbacks every callback is refused', () => {
    const deaf = finixMerchant({ now: () => now }, { ...settings, webhook: undefined, url: 'http://127.0.0.1:9' });
    expect(() => deaf.readCallback(finixCallback(event, now))).toThrow(MerchantSignatureInvalid);
  });
});

test('in production Finix needs its card form, or LOCAL_PROVIDERS to try the application alone', () => {
  const finix = { ...settings, applicationId: undefined, url: 'http://127.0.0.1:9' };
  const openIn = (env: object) =>
    openMerchant({ now: () => now, env: { finix, production: true, ...env } } as never).name;
  expect(() => openIn({})).toThrow(/FINIX_APPLICATION is missing/);
  expect(openIn({ finix: { ...finix, applicationId: 'AP1' } })).toBe('finix');
  expect(openIn({ localProviders: true })).toBe('finix');
  expect(openIn({ finix: undefined })).toBe('off');
  expect(openIn({ finix: undefined, localProviders: true })).toBe('local');
});

describe('settings of Finix', () => {
  const login = { FINIX_USERNAME: 'US1', FINIX_PASSWORD: 'p', FINIX_PROCESSOR: 'DUMMY_V1' };

  test('without a username there is no Finix; with one the sandbox is the default', () => {
    expect(readFinix({})).toBeUndefined();
    expect(readFinix(login)).toMatchObject({
      url: 'https://finix.sandbox-payments-api.com',
      dashboardUrl: 'https://finix.payments-dashboard.com/',
      webhook: undefined,
    });
  });

  test('both ways to sign in to our callback address are read', () => {
    const bearer = readFinix({ ...login, FINIX_WEBHOOK_KEY: 'k', FINIX_WEBHOOK_TOKEN: 't' });
    expect(bearer?.webhook).toEqual({ signingKey: 'k', transfersKey: 'k', authorization: 'Bearer t' });
    const basic = readFinix({ ...login, FINIX_WEBHOOK_KEY: 'k', FINIX_WEBHOOK_USER: 'u', FINIX_WEBHOOK_PASSWORD: 'p' });
    expect(basic?.webhook?.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });

  test.each([
    [{ FINIX_PASSWORD: 'p' }, /FINIX_USERNAME is missing/],
    [{ FINIX_USERNAME: 'US1' }, /FINIX_PASSWORD is missing/],
    [{ FINIX_USERNAME: 'US1', FINIX_PASSWORD: 'p' }, /FINIX_PROCESSOR is missing/],
    [{ ...login, FINIX_URL: 'http://finix.example' }, /FINIX_URL must be an https address/],
    [{ ...login, FINIX_FEES_URL: 'fees' }, /FINIX_FEES_URL must be an address/],
    [{ ...login, FINIX_DASHBOARD_URL: 'javascript:alert(1)' }, /FINIX_DASHBOARD_URL must be an https address/],
    [{ FINIX_APPLICATION: 'AP1' }, /FINIX_USERNAME is missing/],
    [{ ...login, FINIX_APPLICATION: 'MU1' }, /FINIX_APPLICATION must be the id/],
    [{ ...login, FINIX_WEBHOOK_TOKEN: 't' }, /FINIX_WEBHOOK_KEY goes together/],
    [{ ...login, FINIX_WEBHOOK_KEY: 'k', FINIX_WEBHOOK_USER: 'u' }, /FINIX_WEBHOOK_KEY goes together/],
  ])('%j is refused with a sentence', (from, message) => {
    expect(() => readFinix(from)).toThrow(message);
  });
});
