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

test('a body of 50 levels is accepted', async () => {
  expect((await savedWith(50)).json()).toMatchObject({ code: 'invalid_input' });
});

test.each([5_000, 30_000])('%i nested lists count as levels too, at any position', async (levels) => {
  const answer = await testApp.app.inject({
    method: 'POST',
    url: `/api/checkin/${testApp.maple.npi}`,
    headers: { 'content-type': 'application/json' },
    payload: `{"household":${'['.repeat(levels)}${']'.repeat(levels)}}`,
  });
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'nested_too_deep']);
});

const manyKeys = (keys: number) => JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [i, {}])));
const post = (url: string, payload: string, token?: string) =>
  testApp.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    payload,
  });

test.each([
  ['a public endpoint', '/api/sign-in/code', 413, 'too_large'],
  ['an endpoint for staff', '/api/virtual-queue/', 413, 'too_large'],
  ['the endpoint for whole questionnaires', '/api/office/forms', 401, 'not_signed_in'],
  ['the endpoint for many files', '/api/forms/bulk-download', 401, 'not_signed_in'],
  ['an unknown path', '/api/nope', 404, 'not_found'],
])('%s refuses 1.4 MB from a caller who is not signed in before it is parsed', async (_what, url, status, code) => {
  const large = manyKeys(130_000);
  const from = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, large)));
  const tookMs = performance.now() - from;
  for (const answer of answers)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
  // Parsing one such body takes 200 ms, so 20 of them take 4 s.
  expect(tookMs).toBeLessThan(2_000);
});

test('a body with too many values is refused even if it is short enough for its endpoint', async () => {
  const { token } = testApp.maple;
  const answer = await post('/api/office/forms', manyKeys(120_000), token);
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([413, 'too_large']);
});

test('brackets, commas and escaped quotes inside strings do not count', async () => {
  const { token } = testApp.maple;
  const text = `${'['.repeat(100)}\\"{${','.repeat(30_000)}\\`;
  const answer = await post('/api/office/forms', JSON.stringify({ text, check: true }), token);
  expect(answer.statusCode).toBe(200);
});
