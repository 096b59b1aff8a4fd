import { expect, test } from 'vitest';
import { firstSteps, session, team } from '#contract/index.ts';
import { savePreferences } from '#contract/sign-in/session.ts';
import type { TestOffice } from '#testing/app/test-app.ts';
import {
  me,
  openRegistrationApp,
  register,
  session as sessionOf,
  testApp,
  typedRegistration,
} from '#testing/fixtures/registration.ts';

openRegistrationApp();

const read = async (of: TestOffice) => (await testApp.call(firstSteps.readFirstSteps, {}, { as: of })).body;
const save = (of: TestOffice, body: { shown?: boolean; posterPrinted?: true }) =>
  testApp.call(firstSteps.saveFirstSteps, { body }, { as: of });
const nothingDone = { phone: false, poster: false, text: false, colleague: false, sound: false };

test('a practice that registers sees the first steps; one that existed before does not', async () => {
  await register(typedRegistration);
  expect((await sessionOf(me)).office?.firstSteps).toBe(true);
  expect((await sessionOf(testApp.maple)).office?.firstSteps).toBe(false);
});

test('an entry is done when it has happened in this office, not in another', async () => {
  const of = await testApp.office();
  expect(await read(of)).toEqual({ shown: false, done: nothingDone });
  await testApp.visit({ office: testApp.other, moves: ['invite'] });
  await save(testApp.other, { posterPrinted: true });
  expect((await read(of)).done).toEqual(nothingDone);

  await testApp.visit({ office: of });
  expect((await read(of)).done).toEqual({ ...nothingDone, phone: true });
  await testApp.visit({ office: of, moves: ['invite'] });
  await save(of, { posterPrinted: true });
  await testApp.call(team.inviteColleague, { body: { name: 'Sam', email: 'sam@steps.test' } }, { as: of });
  await testApp.call(savePreferences, { body: { sound: true } }, { as: of });
  expect((await read(of)).done).toEqual({ phone: true, poster: true, text: true, colleague: true, sound: true });
});

test('a second member counts as a colleague without an invitation', async () => {
  const of = await testApp.office();
  await testApp.addStaff({ name: 'Lee', email: 'lee@steps.test' }, [of]);
  expect((await read(of)).done.colleague).toBe(true);
});

test('one person closes the list for the whole office and opens it again', async () => {
  const of = await testApp.office();
  await save(testApp.other, { shown: true });
  expect((await save(of, { shown: true })).body.shown).toBe(true);
  expect((await testApp.call(session.readSession, {}, { as: of })).body.office?.firstSteps).toBe(true);
  expect((await save(of, { shown: false })).body.shown).toBe(false);
  expect((await read(testApp.other)).shown).toBe(true);
});
