import { expect, test } from 'vitest';
import { conversationMessages, sms, smsCheckin } from '#contract/index.ts';
import { checkIn, list, newPhone, office, openPatientApp, testApp, textsTo } from '#testing/fixtures/patient-phone.ts';
import { sendDueTexts } from '#testing/fixtures/texts.ts';
import { says, expects, answersTo, conversationWith } from '#testing/fixtures/check-in-by-text.ts';

openPatientApp();

const deskWrites = async (phone: string, body: string) =>
  testApp.call(
    conversationMessages.sendMessage,
    { body: { conversationId: (await conversationWith(phone)).id, body } },
    { as: office },
  );

test('"here" as the answer to a question of the desk checks nobody in, and the desk reads it', async () => {
  const phone = newPhone();
  await expects(phone);
  await deskWrites(phone, 'Will you be seen here or at our other location?');
  await says(phone, 'Here');
  expect(await list()).toEqual([]);
  expect(await conversationWith(phone)).toMatchObject({ unread: 1, unanswered: true });
  await deskWrites(phone, 'Thanks. See you later!');
  await says(phone, 'Here');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING' }]);
});

test('a question that the patient answered already does not keep HERE from checking in', async () => {
  const phone = newPhone();
  await expects(phone);
  await deskWrites(phone, 'Will you be seen here or at our other location?');
  await says(phone, 'At yours');
  testApp.later(60);
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING' }]);
  expect(await answersTo(phone)).toContainEqual(expect.stringContaining("you're checked in"));
});

test('a question to the same number at another practice keeps HERE from nothing', async () => {
  const phone = newPhone();
  const other = await testApp.office({ name: 'CANARY Harbor' });
  await says(phone, 'Hello', other);
  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: other });
  await expects(phone);
  const { id } = await testApp.inOffice(other, (tx) =>
    tx.selectFrom('conversation').select('id').where('phone', '=', phone).executeTakeFirstOrThrow(),
  );
  const body = { conversationId: id, body: 'Will you be seen here?' };
  await testApp.call(conversationMessages.sendMessage, { body }, { as: other });
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING' }]);
});

test("HERE does not answer a question in a text to a list, but still answers the desk's", async () => {
  const [phone, asked] = [newPhone(), newPhone()];
  await expects(phone);
  await expects(asked);
  await deskWrites(asked, 'Will you be seen here or at our other location?');
  const deliveryOptions = [phone, asked].map((phoneNumber) => ({ phoneNumber, sendAt: '' }));
  const body = { message: 'Your visit is today. Questions? Call us.', deliveryOptions };
  await testApp.call(sms.sendSms, { body }, { as: office });
  await sendDueTexts(testApp.services);
  expect(await conversationWith(phone)).toMatchObject({ lastBody: body.message });
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING', username: phone }]);
  await says(asked, 'Here');
  expect(await list()).toHaveLength(1);
});

test.each([
  ['Directions: https://maple.example/map?q=door', 1],
  ['Will you be seen here?! Or at our other office', 0],
  ['(Will you be seen here?)', 0],
])('after %j of the desk, HERE checks in %i', async (body, checkedIn) => {
  const phone = newPhone();
  await expects(phone);
  await deskWrites(phone, body);
  await says(phone, 'HERE');
  expect(await list()).toHaveLength(checkedIn);
});

test('a question of another day does not keep HERE from its answer', async () => {
  const phone = newPhone();
  await says(phone, 'Hello');
  await deskWrites(phone, 'Will you be seen here or at our other location?');
  // Past midnight in New York, in the same 24 hours.
  testApp.at('2026-03-03T14:30:00.000Z');
  await checkIn({ phone });
  await says(phone, 'HERE');
  expect((await textsTo(phone)).map(({ sent }) => sent)).toContainEqual(expect.stringContaining("you're checked in"));
});

test('a question that names the word itself does not keep HERE from checking in', async () => {
  const phone = newPhone();
  await expects(phone);
  await deskWrites(phone, 'Could you reply HERE when you are in the parking lot?');
  await says(phone, 'here');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING' }]);
});
