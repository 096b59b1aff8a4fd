import { afterAll, expect, test, vi } from 'vitest';
import { merchant, office as officeContract, session } from '#contract/index.ts';
import type { DetailsAnswers } from '#contract/merchant.ts';
import {
  addressAnswers,
  approveMerchant,
  deliverMerchantEvents,
  detailsAnswers,
  endReviews,
  hasIdentity,
  hostedLink,
  submitHostedForm,
} from '#testing/fixtures/merchant.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { checkDueApplications, merchantOperations } from './jobs.ts';
import { paymentIdentity } from './index.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const formOf = async (as: TestOffice) => (await testApp.call(merchant.readMerchantForm, {}, { as })).body;
const save = (as: TestOffice, body: { addressAnswers?: typeof addressAnswers; detailsAnswers?: DetailsAnswers }) =>
  testApp.call(merchant.saveMerchantAnswers, { body }, { as });
const open = (as: TestOffice) => testApp.call(merchant.openMerchantForms, {}, { as });
const returned = (as: TestOffice, to: URL, strapi: string = as.id) =>
  testApp.call(
    merchant.saveMerchantIdentity,
    { body: { strapi, identity: to.searchParams.get('identityId'), state: to.searchParams.get('state') } },
    { as },
  );
const identityOf = async (as: TestOffice) =>
  (await testApp.call(officeContract.readOfficeByNpi, { params: { npi: as.npi } }, { as })).body.finixIdentity;
const actions = async (of: TestOffice) =>
  (await testApp.auditEntries(of)).map(({ action }) => action).filter((action) => action.startsWith('merchant.'));

test('the steps unlock one after the other, and the answers stay', async () => {
  const office = await testApp.office();
  expect(await formOf(office)).toMatchObject({ id: null, unlockedStep: 1, suggested: { city: 'Brooklyn' } });
  expect((await save(office, { addressAnswers })).body).toMatchObject({ unlockedStep: 2, addressAnswers });
  await save(office, { detailsAnswers });
  const form = await formOf(office);
  expect(form).toMatchObject({ state: 'draft', unlockedStep: 3, addressAnswers, detailsAnswers, identity: null });
  expect(await actions(office)).toEqual(['merchant.begin', 'merchant.save', 'merchant.save']);
});

test('wrong answers are refused and nothing is saved', async () => {
  const office = await testApp.office();
  for (const wrong of [{ zip: '1120' }, { state: 'XX' }, { line1: ' ' }]) {
    const { status } = await save(office, { addressAnswers: { ...addressAnswers, ...wrong } });
    expect(status).toBe(400);
  }
  expect((await save(office, { detailsAnswers: { ...detailsAnswers, phone: '12' } })).status).toBe(400);
  expect(await formOf(office)).toMatchObject({ id: null, addressAnswers: null });
});

test('a submitted application has an identity, is approved later, and only then can patients pay', async () => {
  const office = await testApp.office();
  await save(office, { addressAnswers, detailsAnswers });
  const to = await submitHostedForm(testApp, await hostedLink(testApp, office));
  expect([to.pathname, to.searchParams.get('expired')]).toEqual(['/finix-forms', null]);

  const { status, body } = await returned(office, to);
  expect(status).toBe(200);
  expect(body).toMatchObject({ state: 'processing', unlockedStep: 5, bank: { lastFour: '6789' }, transactions: false });
  expect(body.identity).toBe(to.searchParams.get('identityId'));
  expect(await identityOf(office)).toBe(body.identity);
  const can = () => testApp.inOffice(office, (tx) => paymentIdentity(tx, office.id));
  expect(await can()).toBeNull();

  await endReviews(testApp);
  expect(await formOf(office)).toMatchObject({ state: 'approved', transactions: true });
  expect(await can()).toMatchObject({ identityId: body.identity, merchantId: expect.stringMatching(/^MU/) });
  const { body: identity } = await testApp.call(
    merchant.readMerchantIdentity,
    { params: { npi: office.npi } },
    { as: office },
  );
  expect(identity).toEqual({ npi: office.npi, identity: body.identity, state: 'approved', approved: true });
  expect((await actions(office)).slice(-3)).toEqual(['merchant.open', 'merchant.submit', 'merchant.approve']);
});

test('the session follows the application: wanted, in review, approved', async () => {
  const office = await testApp.office();
  const shown = async () => {
    const { body } = await testApp.call(session.readSession, {}, { as: office });
    return [body.office?.cardPayments, body.office?.cardPaymentsDecidedAt];
  };
  expect(await shown()).toEqual(['none', null]);
  await testApp.call(merchant.beginMerchantForm, {}, { as: office });
  expect(await shown()).toEqual(['wanted', null]);
  await save(office, { addressAnswers, detailsAnswers });
  await submitHostedForm(testApp, await hostedLink(testApp, office));
  await deliverMerchantEvents(testApp);
  expect(await shown()).toEqual(['processing', null]);
  await endReviews(testApp);
  expect(await shown()).toEqual(['approved', testApp.now().toISOString()]);
});

test('a form that is submitted right after it was looked at is looked up again', async () => {
  const office = await testApp.office();
  await save(office, { addressAnswers, detailsAnswers });
  const link = await hostedLink(testApp, office);
  await testApp.call(merchant.saveMerchantIdentity, { body: { strapi: office.id } }, { as: office });
  const to = await submitHostedForm(testApp, link);
  const { status, body } = await returned(office, to);
  expect([status, body.identity]).toEqual([200, to.searchParams.get('identityId')]);
});

test('a rejected practice has no identity and can apply again with the same answers', async () => {
  const office = await testApp.office();
  await save(office, { addressAnswers, detailsAnswers });
  await submitHostedForm(testApp, await hostedLink(testApp, office), 'rejected');
  await deliverMerchantEvents(testApp);
  expect(await hasIdentity(testApp, office)).toBe(true);
  await endReviews(testApp);
  expect(await formOf(office)).toMatchObject({ state: 'rejected', transactions: false });
  expect([await hasIdentity(testApp, office), await identityOf(office)]).toEqual([false, null]);
  const asked = await testApp.call(merchant.readMerchantIdentity, { params: { npi: office.npi } }, { as: office });
  expect(asked.body).toMatchObject({ identity: null, state: 'rejected', approved: false });

  const { body } = await testApp.call(merchant.beginMerchantForm, {}, { as: office });
  expect(body).toMatchObject({ state: 'draft', unlockedStep: 3, addressAnswers, detailsAnswers, identity: null });
  await approveMerchant(testApp, office);
  expect((await formOf(office)).state).toBe('approved');
});

test('an approved practice stays approved when the provider is asked and its account is not found', async () => {
  const office = await testApp.office();
  await approveMerchant(testApp, office);
  const { merchant: provider } = testApp.services.providers;
  const { readForm } = provider;
  const asked = vi.fn<(about: object) => void>();
  provider.readForm = (_, about) => {
    asked(about);
    const nothing = { identityId: null, merchantId: null, bank: { lastFour: null } };
    return Promise.resolve({ state: 'processing', reference: about.reference, ...nothing });
  };
  testApp.later(25 * 60);
  await checkDueApplications(testApp.services);
  provider.readForm = readForm;
  expect((await formOf(office)).state).toBe('approved');
  const can = await testApp.inOffice(office, (tx) => paymentIdentity(tx, office.id));
  const { identityId, merchantId } = can ?? {};
  expect(asked.mock.calls.map(([about]) => about)).toContainEqual(expect.objectContaining({ identityId, merchantId }));
});

test('an identity that the provider names some time after the submission is the practice’s from then on', async () => {
  const office = await testApp.office();
  await submitHostedForm(testApp, await hostedLink(testApp, office), '');
  const { merchant: provider } = testApp.services.providers;
  const { readForm } = provider;
  provider.readForm = async (...asked) => ({ ...(await readForm(...asked)), identityId: null, merchantId: null });
  await deliverMerchantEvents(testApp);
  provider.readForm = readForm;
  expect([(await formOf(office)).state, await hasIdentity(testApp, office)]).toEqual(['processing', false]);
  testApp.later(10);
  await checkDueApplications(testApp.services);
  expect([(await formOf(office)).state, await hasIdentity(testApp, office)]).toEqual(['processing', true]);
});

test('each click makes a link to the same form, and no link is stored', async () => {
  const office = await testApp.office();
  const [one, two] = [await hostedLink(testApp, office), await hostedLink(testApp, office)];
  expect(one).not.toBe(two);
  const rows = await testApp.inOffice(office, (tx) => tx.selectFrom('merchantApplication').selectAll().execute());
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(one.split('/').at(-1));
});

test('after the submission there are no more links and no more changes', async () => {
  const office = await testApp.office();
  await submitHostedForm(testApp, await hostedLink(testApp, office), '');
  const late = [await open(office), await save(office, { addressAnswers })];
  expect(late.map(({ status, body }) => [status, body.code])).toEqual([
    [409, 'merchant_submitted'],
    [409, 'merchant_submitted'],
  ]);
});

test('concurrent clicks create one form', async () => {
  const office = await testApp.office();
  const answers = await Promise.all([1, 2, 3, 4].map(() => open(office)));
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
  expect(statuses.has(200)).toBe(true);
  const forms = await testApp.owner
    .selectFrom('merchant.form')
    .select('id')
    .where('reference', 'like', `${office.id}%`)
    .execute();
  expect(forms).toHaveLength(1);
});

test('the identity of another office, its state and its id are 404, and change nothing', async () => {
  const [mine, other] = [await testApp.office(), await testApp.office()];
  const theirs = await submitHostedForm(testApp, await hostedLink(testApp, other));
  await returned(other, theirs);
  await hostedLink(testApp, mine);

  const answers = [
    await returned(mine, theirs),
    await returned(mine, new URL(`http://x/?identityId=${theirs.searchParams.get('identityId')}`)),
    await returned(mine, new URL('http://x/?state=made.up')),
    await returned(mine, theirs, other.id),
    await testApp.call(merchant.readMerchantIdentity, { params: { npi: other.npi } }, { as: mine }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(await hasIdentity(testApp, mine)).toBe(false);
});

test('without a callback, the job finds the submission and the decision', async () => {
  const office = await testApp.office();
  await submitHostedForm(testApp, await hostedLink(testApp, office));
  expect((await formOf(office)).state).toBe('open');
  testApp.later(3);
  await checkDueApplications(testApp.services);
  expect((await formOf(office)).state).toBe('processing');
  await testApp.owner.deleteFrom('merchant.event').execute();
  await endReviews(testApp);
});

test('a provider that does not answer is reported with the specified text, and the next click works', async () => {
  const office = await testApp.office();
  const { merchant: provider } = testApp.services.providers;
  const { createForm } = provider;
  const { MerchantRefused } = await import('#server/providers/merchant/port.ts');
  const keys: string[] = [];
  provider.createForm = (ask) => {
    keys.push(ask.operationId);
    return Promise.reject(new MerchantRefused('unreachable'));
  };
  const { status, body } = await open(office);
  expect([status, body.title]).toEqual([503, 'There was an error getting onboarding forms url']);
  // The vendor may have made the form: it is asked again with the same key, also by a click in another language.
  provider.createForm = (ask) => {
    keys.push(ask.operationId);
    return createForm(ask);
  };
  testApp.later(1);
  const replies = await Promise.all([
    open(office),
    testApp.call(merchant.openMerchantForms, {}, { as: office, headers: { 'accept-language': 'es' } }),
  ]);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
  provider.createForm = createForm;
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test('a form whose process died is made by the job, once, and the next click gets a link to it', async () => {
  const office = await testApp.office();
  const { merchant: provider } = testApp.services.providers;
  const { createForm } = provider;
  const died = new Promise<void>((resolve) => {
    provider.createForm = async (ask) => {
      await createForm(ask);
      resolve();
      return new Promise<never>(() => undefined);
    };
  });
  void open(office);
  await died;
  provider.createForm = createForm;
  testApp.later(2);
  await resumeOperations(testApp.services, merchantOperations);
  expect((await formOf(office)).state).toBe('open');
  expect((await open(office)).status).toBe(200);
});

test('a form that the provider before is still creating neither holds up the one in use nor replaces its form', async () => {
  const office = await testApp.office();
  const { merchant: provider } = testApp.services.providers;
  const { createForm, name } = provider;
  const formIds: string[] = [];
  let answer: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    provider.createForm = async (ask) => {
      resolve();
      await new Promise<void>((answered) => (answer = answered));
      return createForm(ask);
    };
  });
  const before = open(office);
  await asked;
  Object.assign(provider, { name: 'finix' });
  provider.createForm = async (ask) => {
    const made = await createForm(ask);
    formIds.push(made.formId);
    return made;
  };
  try {
    expect((await open(office)).status).toBe(200);
    answer?.();
    await before;
    const row = await testApp.inOffice(office, (tx) =>
      tx.selectFrom('merchantApplication').select(['provider', 'formId', 'state']).executeTakeFirstOrThrow(),
    );
    expect(row).toEqual({ provider: 'finix', formId: formIds[0], state: 'open' });
  } finally {
    Object.assign(provider, { name, createForm });
  }
});

test('an operation that comes too late to create a form opens the application with none', async () => {
  const office = await testApp.office();
  const { merchant: provider } = testApp.services.providers;
  const { createForm, name } = provider;
  const died = new Promise<void>((resolve) => {
    provider.createForm = async () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
  });
  void open(office);
  await died;
  Object.assign(provider, { name: 'finix', createForm });
  try {
    testApp.later(2);
    await resumeOperations(testApp.services, merchantOperations);
    expect((await formOf(office)).state).toBe('draft');
    expect((await open(office)).status).toBe(200);
  } finally {
    Object.assign(provider, { name });
  }
});
