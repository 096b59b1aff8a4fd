import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestForms, openVisitPhone } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;
let definitionId: string;
beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  office = await testApp.office();
  definitionId = (await requestForms(testApp, office))['arrival'] ?? '';
});

let networks = 0;

async function beginForm() {
  const { token, id } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const remoteAddress = `10.1.${Math.floor(++networks / 250)}.${networks % 250}`;
  const save = (answers: Record<string, unknown>, headers: Record<string, string> = {}) =>
    testApp.app.inject({
      method: 'PUT',
      url: `/api/visit/${token}/forms/${memberId}/arrival`,
      headers,
      remoteAddress,
      payload: { definitionId, version: 0, page: 0, answers },
    });
  return { id, phone, memberId, save, remoteAddress };
}

const used = async (limit: { name: string; points: number; seconds: number }, key: string) => {
  for (let i = 0; i < limit.points; i++) await testApp.services.limits.take(limit, key);
};

test('saving more than 200 kB is refused in the phone’s language, and the saved draft stays', async () => {
  const { phone, memberId, save } = await beginForm();
  expect((await save({ reason: ['Cough'] })).statusCode).toBe(200);
  const refused = await save({ reason: ['x'.repeat(200_000)] }, { 'accept-language': 'es' });
  expect(refused.statusCode).toBe(413);
  expect(refused.json()).toMatchObject({
    code: 'answers_too_large',
    title: expect.stringContaining('sigue en este teléfono'),
  });
  expect((await phone.read(memberId)).body.answers).toEqual({ reason: ['Cough'] });
});

test('saving more than 2,000 answers is refused', async () => {
  const { save } = await beginForm();
  const answers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`reason#${i}`, ['x']]));
  expect((await save(answers(2_001))).json()).toMatchObject({ status: 413, code: 'answers_too_large' });
  expect((await save(answers(2_000))).statusCode).toBe(200);
});

test('a visit can save 300 times an hour, and another visit is not affected', async () => {
  const [one, other] = [await beginForm(), await beginForm()];
  await used({ name: 'form-saves', points: 300, seconds: 3600 }, one.id);
  const refused = await one.save({});
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({
    code: 'too_many_saves',
    title: expect.stringContaining('still on this phone'),
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await other.save({})).statusCode).toBe(200);
});

test('a network can save 1,500 times an hour, and another network is not affected', async () => {
  const [one, other] = [await beginForm(), await beginForm()];
  await used({ name: 'form-saves-network', points: 1_500, seconds: 3600 }, one.remoteAddress);
  expect((await one.save({})).json()).toMatchObject({ status: 429, code: 'too_many_saves' });
  expect((await other.save({})).statusCode).toBe(200);
});

test('a network that sends too fast is delayed, and another network is not', async () => {
  const [fast, calm] = [await beginForm(), await beginForm()];
  const large = { reason: ['x'.repeat(190_000)] };
  const from = performance.now();
  let isOver = false;
  const flood = Promise.all(Array.from({ length: 6 }, () => fast.save(large))).finally(() => (isOver = true));
  expect((await calm.save({ reason: ['Cough'] })).statusCode).toBe(200);
  expect(isOver).toBe(false);
  await flood;
  expect(performance.now() - from).toBeGreaterThan(1_500); // 1.1 MB at 250 kB a second, after a burst of 500 kB
});
