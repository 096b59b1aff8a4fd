import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestForms, openVisitPhone, photo, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { sweepForms } from './jobs.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());

const files = () =>
  testApp.inOffice(testApp.maple, (tx) => tx.selectFrom('formFile').select(['id', 'kind', 'objectKey']).execute());
const rows = () => testApp.inOffice(testApp.maple, (tx) => tx.selectFrom('formSubmission').select(['state']).execute());

test('the sweep deletes drafts nobody can continue, with their files, and keeps submissions', async () => {
  const definitionId = (await requestForms(testApp, testApp.maple))['arrival'] ?? '';
  await submittedForm(testApp);
  const left = openVisitPhone(testApp, (await testApp.visit()).token);
  await left.save(await left.first(), { definitionId, answers: { reason: ['Cough'] } });
  const { body } = await left.upload(await photo());
  const [unused] = (await files()).filter(({ id }) => id === body.fileId);

  testApp.later(60);
  await sweepForms(testApp.services);
  expect((await rows()).map(({ state }) => state).sort()).toEqual(['draft', 'submitted']);
  expect(await files()).toHaveLength(2);

  testApp.later(4 * 24 * 60);
  await sweepForms(testApp.services);
  expect((await rows()).map(({ state }) => state)).toEqual(['submitted']);
  expect((await files()).map(({ kind }) => kind)).toEqual(['pdf']);
  expect(await testApp.services.providers.storage.head(unused?.objectKey ?? '')).toBeNull();
});

test('the sweep deletes an unreferenced PDF after an hour', async () => {
  const { id: visitId } = await testApp.visit();
  const { storage } = testApp.services.providers;
  const objectKey = `${testApp.maple.npi}/2026/03/02/019f1111-1111-7111-8111-111111111111`;
  await storage.put(objectKey, Buffer.from('%PDF'), { contentType: 'application/pdf' });
  const orphan = { officeId: testApp.maple.id, id: testApp.services.id(), visitId, kind: 'pdf' as const, objectKey };
  await testApp.inOffice(testApp.maple, (tx) =>
    tx
      .insertInto('formFile')
      .values({ ...orphan, contentType: 'application/pdf', createdAt: testApp.now() })
      .execute(),
  );
  testApp.later(61);
  await sweepForms(testApp.services);
  expect(await storage.head(objectKey)).toBeNull();
  expect((await files()).some(({ id }) => id === orphan.id)).toBe(false);
});
