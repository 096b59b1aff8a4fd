import { afterAll, expect, test } from 'vitest';
import { merchant } from '#contract/index.ts';
import { hostedLink, pressForm, submitHostedForm, typedSteps } from '#testing/fixtures/merchant.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const show = async (link: string, query = '') => {
  const { statusCode, body, headers } = await testApp.app.inject({ url: `${link}${query}` });
  return { status: statusCode, title: /<h1>(.*?)<\/h1>/.exec(body)?.[1], body, to: headers.location };
};

test('each step is saved, and a new link continues where the form was left', async () => {
  const office = await testApp.office();
  const link = await hostedLink(testApp, office);
  expect((await show(link)).title).toBe('Consent');
  expect((await pressForm(testApp, link, 'consent', typedSteps.consent)).to).toBe(`${link}?step=business`);
  await pressForm(testApp, link, 'business', typedSteps.business);
  const resumed = await show(await hostedLink(testApp, office));
  expect(resumed.title).toBe('The owner');
  const back = await show(link, '?step=business');
  expect(back.body).toContain('value="Maple Street Pediatrics LLC"');
  expect(back.body).toContain('On file, ending in 6789');
});

test('the hosted form is prefilled with the practice’s answers', async () => {
  const office = await testApp.office();
  const body = { addressAnswers: { line1: '9 Elm & Oak', city: 'Queens', state: 'NY', zip: '11101' } };
  await testApp.call(merchant.saveMerchantAnswers, { body }, { as: office });
  const link = await hostedLink(testApp, office);
  await pressForm(testApp, link, 'consent', typedSteps.consent);
  expect((await show(link)).body).toContain('value="9 Elm &#38; Oak"');
});

test('a wrong field is marked, keeps what was typed, and the step is not saved', async () => {
  const link = await hostedLink(testApp, await testApp.office());
  expect((await pressForm(testApp, link, 'consent', {})).status).toBe(400);
  await pressForm(testApp, link, 'consent', typedSteps.consent);
  const wrong = { ...typedSteps.business, taxId: '12', legalName: '<b>Maple</b>' };
  const { status, body } = await pressForm(testApp, link, 'business', wrong);
  expect(status).toBe(400);
  expect(body).toContain('Please enter nine digits.');
  expect(body).toContain('&#60;b&#62;Maple');
  expect((await show(link)).title).toBe('Your business');
});

test('a later step cannot be submitted before the earlier ones', async () => {
  const link = await hostedLink(testApp, await testApp.office());
  expect(await pressForm(testApp, link, 'bank', typedSteps.bank)).toMatchObject({ status: 303, to: link });
  expect((await show(link, '?step=bank')).title).toBe('Consent');
});

test('after an hour the link leads to the page for expired forms, and a new link has everything', async () => {
  const office = await testApp.office();
  const link = await hostedLink(testApp, office);
  await pressForm(testApp, link, 'consent', typedSteps.consent);
  testApp.later(60);
  expect((await show(link)).to).toMatch(/^\/finix-forms\?expired=true&state=/);
  expect((await pressForm(testApp, link, 'business', typedSteps.business)).to).toMatch(/^\/finix-forms\?expired=true/);
  expect((await show(await hostedLink(testApp, office))).title).toBe('Your business');
});

test('the form stores only the last four digits of the tax ID and the account', async () => {
  const office = await testApp.office();
  await submitHostedForm(testApp, await hostedLink(testApp, office));
  const { answers } = await testApp.owner
    .selectFrom('merchant.form')
    .select('answers')
    .where('reference', 'like', `${office.id}%`)
    .executeTakeFirstOrThrow();
  expect(answers).toMatchObject({ taxId: '6789', account: '6789' });
});

test('submitting twice is one submission, and the page then shows the review and its end', async () => {
  const office = await testApp.office();
  const link = await hostedLink(testApp, office);
  const to = await submitHostedForm(testApp, link, '');
  expect(to.searchParams.get('identityId')).toMatch(/^ID\w{22}$/);
  expect((await pressForm(testApp, link, 'bank', typedSteps.bank)).to).toBe(link);
  expect((await show(link)).title).toBe('Your application is in review');
  await pressForm(testApp, link, 'decide', { review: 'rejected' });
  expect((await show(link)).title).toBe('Your application was not approved');
});

test('an unknown link, step and style are answered without an error', async () => {
  expect((await show('/merchant/form/AAAA')).status).toBe(404);
  const link = await hostedLink(testApp, await testApp.office());
  expect((await pressForm(testApp, link, 'nothing')).status).toBe(404);
  expect((await pressForm(testApp, link, 'consent', { consent: 'yes', ['__proto__']: 'x' })).status).toBe(303);
  expect((await pressForm(testApp, link, 'business', { ...typedSteps.business, legalName: 'a\u0000b' })).status).toBe(
    400,
  );
  expect((await show('/merchant/assets/page.css')).status).toBe(200);
  // Otherwise browsers send "Origin: null" with the form, which is refused.
  expect((await testApp.app.inject({ url: link })).headers['referrer-policy']).toBe('same-origin');
});
