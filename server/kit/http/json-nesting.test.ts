import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

const savedWith = async (levels: number) => {
  const { token } = await testApp.visit();
  return testApp.app.inject({
    method: 'PUT',
    url: `/api/visit/${token}/forms/019f1111-1111-7111-8111-111111111111/arrival`,
    headers: { 'content-type': 'application/json', 'accept-language': 'es' },
    payload: nested(levels),
  });
};

test.each([51, 5_000, 30_000])('a body of %i levels is refused in the caller’s language', async (levels) => {
  const answer = await savedWith(levels);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'nested_too_deep', title: expect.stringContaining('50 niveles') });
});

test('a body of 50 levels is read', async () => {
  expect((await savedWith(50)).json()).toMatchObject({ code: 'invalid_input' });
});

test.each([5_000, 100_000])('%i nested lists count as levels too, wherever they stand', async (levels) => {
  const answer = await testApp.app.inject({
    method: 'POST',
    url: `/api/checkin/${testApp.maple.npi}`,
    headers: { 'content-type': 'application/json' },
    payload: `{"household":${'['.repeat(levels)}${']'.repeat(levels)}}`,
  });
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'nested_too_deep']);
});
