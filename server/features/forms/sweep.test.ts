import { afterAll, beforeAll, expect, test } from 'vitest';
import { askFor, phoneOf, photo, submittedForm } from '#testing/fixtures/forms.ts';
import { openHouse, type TestHouse } from '#testing/app/test-app.ts';
import { sweepForms } from './jobs.ts';

let house: TestHouse;
beforeAll(async () => void (house = await openHouse()));
afterAll(() => house.close());

const files = () =>
  house.inOffice(house.maple, (tx) => tx.selectFrom('formFile').select(['id', 'kind', 'objectKey']).execute());
const rows = () => house.inOffice(house.maple, (tx) => tx.selectFrom('formSubmission').select(['state']).execute());

test('what nobody can go on with is forgotten, files too; what was filed stays', async () => {
  const definitionId = (await askFor(house, house.maple))['arrival'] ?? '';
  await submittedForm(house);
  const left = phoneOf(house, (await house.visit()).token);
  await left.save(await left.first(), { definitionId, answers: { reason: ['Cough'] } });
  const { body } = await left.upload(await photo());
  const [unused] = (await files()).filter(({ id }) => id === body.fileId);

  house.later(60);
  await sweepForms(house.house);
  expect((await rows()).map(({ state }) => state).sort()).toEqual(['draft', 'submitted']);
  expect(await files()).toHaveLength(2);

  house.later(4 * 24 * 60);
  await sweepForms(house.house);
  expect((await rows()).map(({ state }) => state)).toEqual(['submitted']);
  expect((await files()).map(({ kind }) => kind)).toEqual(['pdf']);
  expect(await house.house.providers.storage.head(unused?.objectKey ?? '')).toBeNull();
});

test('a PDF whose process died before it was written down is gone an hour later', async () => {
  const { id: visitId } = await house.visit();
  const { storage } = house.house.providers;
  const objectKey = `${house.maple.npi}/2026/03/02/019f1111-1111-7111-8111-111111111111`;
  await storage.put(objectKey, Buffer.from('%PDF'), { contentType: 'application/pdf' });
  const orphan = { officeId: house.maple.id, id: house.house.id(), visitId, kind: 'pdf', objectKey };
  await house.inOffice(house.maple, (tx) =>
    tx
      .insertInto('formFile')
      .values({ ...orphan, contentType: 'application/pdf', createdAt: house.now() })
      .execute(),
  );
  house.later(61);
  await sweepForms(house.house);
  expect(await storage.head(objectKey)).toBeNull();
  expect((await files()).some(({ id }) => id === orphan.id)).toBe(false);
});
