import { expect, test } from 'vitest';
import { patient, queue, smsCheckin } from '#contract/index.ts';
import {
  arrival,
  checkIn,
  count,
  list,
  look,
  newPhone,
  nobody,
  office,
  openPatientApp,
  testApp,
  textsTo,
} from '#testing/fixtures/patient-phone.ts';

openPatientApp();

/** Expects a patient by text and returns the token of their link. */
async function expectByText(phone: string): Promise<string> {
  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: office });
  const [text] = await textsTo(phone);
  return /\/([\w-]{22,64})\s*$/.exec(text?.sent ?? '')?.[1] ?? '';
}

const byLink = (token: string) => {
  const { phone: _, ...body } = arrival({ firstName: 'Rosa', language: 'es' });
  return testApp.call(patient.arriveExpected, { params: { token }, body }, nobody);
};

test('an expected patient checks in through the link in their text', async () => {
  const token = await expectByText(newPhone());
  expect((await look(token)).body).toMatchObject({ statusCode: 'EXPECTED', place: null });
  expect(await list()).toEqual([]);
  testApp.later(20);
  const arrived = await byLink(token);
  expect(arrived.body).toMatchObject({ statusCode: 'WAITING', firstName: 'Rosa', place: 1, language: 'es' });
  expect(await list()).toMatchObject([{ patient: 'Rosa Castellanos' }]);
  expect(await byLink(token)).toMatchObject({ status: 409, body: { current: { statusCode: 'WAITING' } } });
});

test('an expected patient who uses the poster is texted the link again', async () => {
  const phone = newPhone();
  await expectByText(phone);
  expect((await checkIn({ phone })).body).toEqual({ outcome: 'link-sent', token: null });
  expect(await textsTo(phone)).toHaveLength(2);
  const token = /\/([\w-]{22,64})\s*$/.exec((await textsTo(phone))[1]?.sent ?? '')?.[1] ?? '';
  expect((await byLink(token)).body.statusCode).toBe('WAITING');
  expect(await count('visit')).toBe(1);
});

test("an expected patient's messages are not shown to somebody who knows the number", async () => {
  const phone = newPhone();
  const token = await expectByText(phone);
  const { userCode } = await testApp.inOffice(office, (tx) =>
    tx.selectFrom('patient').select('userCode').where('phone', '=', phone).executeTakeFirstOrThrow(),
  );
  await testApp.call(
    queue.messagePatient,
    { params: { userCode }, body: { body: 'Bring the referral.' } },
    { as: office },
  );
  expect((await checkIn({ phone })).body).toEqual({ outcome: 'link-sent', token: null });
  expect((await look(token)).body).toMatchObject({
    statusCode: 'EXPECTED',
    messages: [{ body: 'Bring the referral.' }],
  });
});
