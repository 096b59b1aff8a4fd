import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PatientBoot } from '#contract/patient/page-boot.ts';
import { bareApp } from '#server/app.ts';
import { arrivalForm, requestForms } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { patientBoot } from './page-boot.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

/** What the server writes into the page of a visit. */
async function openPage(token: string): Promise<PatientBoot> {
  const app = bareApp(testApp.services.env);
  await app.register(cookie);
  app.decorate('services', testApp.services);
  app.get('/visit/:token', (req, reply) => patientBoot(testApp.services, req, reply));
  const answer = await app.inject({ url: `/visit/${token}` });
  await app.close();
  return answer.json<PatientBoot>();
}

test('the page’s own first call learns and writes nothing, until the office requests another form', async () => {
  const office = await testApp.office();
  await requestForms(testApp, office);
  const { token, id } = await testApp.visit({ office });
  const { forms, formsEtag = '' } = await openPage(token);
  expect(forms?.members).toHaveLength(1);

  const list = () => testApp.app.inject({ url: `/api/visit/${token}/forms`, headers: { 'if-none-match': formsEtag } });
  const listed = async () =>
    (await testApp.auditEntries(office)).filter(
      ({ action, subject }) => action === 'form.list-by-patient' && subject === id,
    );
  expect(await listed()).toHaveLength(1);
  expect((await list()).statusCode).toBe(304);
  expect(await listed()).toHaveLength(1);

  await requestForms(testApp, office, [arrivalForm, { ...arrivalForm, id: 'departure' }]);
  const changed = await list();
  expect(changed.statusCode).toBe(200);
  expect(changed.json()).not.toEqual(forms);
  expect(await listed()).toHaveLength(2);
});

test('another visit’s ETag does not hide a visit’s forms', async () => {
  const [one, other] = [await testApp.office(), await testApp.office()];
  await Promise.all([requestForms(testApp, one), requestForms(testApp, other)]);
  const { formsEtag = '' } = await openPage((await testApp.visit({ office: one })).token);
  const { token } = await testApp.visit({ office: other });
  const answer = await testApp.app.inject({
    url: `/api/visit/${token}/forms`,
    headers: { 'if-none-match': formsEtag },
  });
  expect(answer.statusCode).toBe(200);
  expect(await testApp.auditEntries(other)).toContainEqual(expect.objectContaining({ action: 'form.list-by-patient' }));
});
