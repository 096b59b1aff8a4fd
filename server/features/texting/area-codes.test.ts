import { afterAll, beforeAll, expect, test } from 'vitest';
import { patientCheckIn, signIn, smsCheckin, team } from '#contract/index.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const refused = ['9005550161', '+18762345678', '+1 416 555 0161', '500 555 0161', '1-809-555-0161'];

test.each(refused)('the number %s cannot be expected, check in, be invited or get a sign-in code', async (phone) => {
  const ada = { firstName: 'Ada', lastName: 'Byron', birthDate: '1990-12-10', household: [], language: 'en' as const };
  const replies = [
    await t.call(smsCheckin.addCheckin, { body: { phone } }),
    await t.call(patientCheckIn.checkIn, { params: { npi: t.maple.npi }, body: { ...ada, phone } }, { as: null }),
    await t.call(team.inviteColleague, { body: { phone } }),
    await t.call(signIn.requestCode, { body: { phone } }, { as: null }),
  ];
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(replies.map(() => [400, 'invalid_phone']));
  expect(await t.texts()).toEqual([]);
});
