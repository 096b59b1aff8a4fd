import { expect, test } from 'vitest';
import { keywordOf, keywords, linkTextLimits, textLimits, textsFromNumber } from '#contract/texting.ts';
import { conversationMessages, patient, queue, sms, smsCheckin } from '#contract/index.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { keepMedia } from '#server/providers/sms/local.ts';
import type { TestOffice } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
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
  tap,
  testApp,
  textsTo,
} from '#testing/fixtures/patient-phone.ts';
import { patientTexts, sendDueTexts, useTextLimit } from '#testing/fixtures/texts.ts';

openPatientApp();

const says = (phone: string, body: string, of: TestOffice = office) =>
  patientTexts(testApp, phone, body, { office: of });
const expects = (phone: string) => testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: office });
/** What the number was texted after the invitation. */
const answersTo = async (phone: string) => (await textsTo(phone)).slice(1).map(({ sent }) => sent);
const tokenIn = (sent: string | undefined) => /\/visit\/([\w-]{22,64})$/.exec(sent ?? '')?.[1] ?? '';
const conversationWith = (phone: string) =>
  testApp.inOffice(office, (tx) =>
    tx.selectFrom('conversation').selectAll().where('phone', '=', phone).executeTakeFirstOrThrow(),
  );
const deskWrites = async (phone: string, body: string) =>
  testApp.call(
    conversationMessages.sendMessage,
    { body: { conversationId: (await conversationWith(phone)).id, body } },
    { as: office },
  );
const closed = (openingHours: object) =>
  testApp.inOffice(office, async (tx) => {
    const { queueSettings } = await tx.selectFrom('office').select('queueSettings').executeTakeFirstOrThrow();
    await tx
      .updateTable('office')
      .set({ queueSettings: JSON.stringify({ ...queueSettings, openingHours }) as never })
      .execute();
  });
/** The points that this practice's limits of texts have counted. */
const pointsTaken = async () => {
  const limits = [textLimits.perOffice, linkTextLimits.perOffice, linkTextLimits.perOfficeToStrangers];
  const { rows } = await testApp.services.pool.query<{ key: string; points: number }>(
    'select key, points from rate_limit where key = any($1) and points > 0 order by key',
    [limits.map((limit) => rateLimitKey(limit, office.id))],
  );
  return rows;
};
const sunday = [null, null, null, null, null, null, { open: '08:00', close: '17:00' }];

test.each(['HERE', 'here', ' Here! ', "I'm here", 'AQUI', 'aquí', 'Llegue', 'Ya llegué 🚗'])(
  'an expected patient who replies %j is checked in and gets the link to the visit',
  async (word) => {
    const phone = newPhone();
    await expects(phone);
    testApp.later(30);
    expect(await says(phone, word)).toBe(200);
    expect(await list()).toMatchObject([{ username: phone, statusCode: 'WAITING', activePatients: [] }]);
    const [answer, ...more] = await answersTo(phone);
    expect(answer).toMatch(
      /^Maple Street Pediatrics: (thanks, you're checked in\.|gracias, ya registramos su llegada\.)/,
    );
    expect(more).toEqual([]);
    expect((await look(tokenIn(answer))).body).toMatchObject({
      access: 'all',
      statusCode: 'WAITING',
      place: 1,
      members: [],
      createdAt: testApp.now().toISOString(),
    });
  },
);

test('in the ambulatory mode, where nobody checks in, HERE is a message like any other', async () => {
  const recovery = await testApp.office({ settings: { providers: [{ name: 'ambu', adminNavBar: true }] } });
  await says(newPhone(), 'Here', recovery);
  expect(await testApp.texts(recovery)).toEqual([]);
});

test('a Spanish word is answered in Spanish, and so is the visit', async () => {
  const phone = newPhone();
  await expects(phone);
  await says(phone, 'aqui');
  const [answer] = await answersTo(phone);
  expect(answer).toContain('ya registramos su llegada');
  expect((await look(tokenIn(answer))).body.language).toBe('es');
});

test('a picture that comes with HERE stays unread', async () => {
  const phone = newPhone();
  await expects(phone);
  const card = { source: await keepMedia(testApp.services, await photo(40, 30)), type: 'image/jpeg' };
  expect(await patientTexts(testApp, phone, "I'm here", { office, media: [card] })).toBe(200);
  expect(await list()).toMatchObject([{ statusCode: 'WAITING', unreadMessages: 1 }]);
});

test('HERE of some patients beside moves and messages for others ends in no deadlock', async () => {
  const phones = Array.from({ length: 12 }, newPhone);
  await Promise.all(phones.map(expects));
  const visits = await Promise.all(phones.map(() => testApp.visit({ office })));
  const answers = await Promise.all([
    ...phones.map((phone) => says(phone, 'HERE')),
    ...visits.flatMap(({ id, patientUserCode: userCode }) => [
      testApp.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office }).then(({ status }) => status),
      testApp
        .call(queue.messagePatient, { params: { userCode }, body: { body: 'Soon' } }, { as: office })
        .then(({ status }) => status),
    ]),
  ]);
  expect(answers).toEqual(answers.map(() => 200));
  expect((await list()).filter(({ statusCode }) => statusCode === 'WAITING')).toHaveLength(12);
});

test('HERE leaves nothing unread or unanswered, and the audit log has it', async () => {
  const phone = newPhone();
  await expects(phone);
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ unreadMessages: 0, messageCount: 3 }]);
  expect(await conversationWith(phone)).toMatchObject({ unread: 0, unanswered: false, readSequence: 2 });
  const actions = (await testApp.auditEntries(office)).map(({ action, actor }) => `${action} ${actor}`);
  expect(actions).toEqual(expect.arrayContaining(['visit.move patient', 'text.here patient']));
  await says(phone, 'Which door?');
  expect(await list()).toMatchObject([{ unreadMessages: 1 }]);
});

test('a second HERE changes nothing and gets no second answer', async () => {
  const phone = newPhone();
  await expects(phone);
  await says(phone, 'HERE');
  const [before] = await list();
  testApp.later(5);
  await says(phone, 'here!');
  expect(await list()).toMatchObject([{ version: before?.version, statusAt: before?.statusAt }]);
  expect(await answersTo(phone)).toHaveLength(1);
  expect(await count('visit')).toBe(1);
});

test('two HEREs at once are one arrival with one answer', async () => {
  const phone = newPhone();
  await expects(phone);
  expect(await Promise.all(Array.from({ length: 6 }, () => says(phone, 'HERE')))).toEqual(Array(6).fill(200));
  expect(await list()).toHaveLength(1);
  expect(await answersTo(phone)).toHaveLength(1);
  const arrivals = await testApp.inOffice(office, (tx) =>
    tx.selectFrom('visitEvent').select('id').where('move', '=', 'arrive').execute(),
  );
  expect(arrivals).toHaveLength(1);
});

test('HERE and the button on the page at once are one arrival', async () => {
  const phone = newPhone();
  await expects(phone);
  const token = /\/([\w-]{22,64})$/.exec((await textsTo(phone))[0]?.sent ?? '')?.[1] ?? '';
  const { phone: _, ...body } = arrival();
  const [texted, pressed] = await Promise.all([
    says(phone, 'HERE'),
    testApp.call(patient.arriveExpected, { params: { token }, body }, nobody),
  ]);
  expect(texted).toBe(200);
  // If the text was first, the page saves its entries as the names of the visit that arrived.
  if (pressed.status !== 200) {
    expect(pressed).toMatchObject({ status: 409, body: { current: { statusCode: 'WAITING', members: [] } } });
    expect((await testApp.call(patient.nameVisit, { params: { token }, body }, nobody)).status).toBe(200);
  }
  expect(await list()).toMatchObject([{ activePatients: [{ name: 'Grace Castellanos' }] }]);
});

test('the page of a visit that arrived by text saves once who comes', async () => {
  const phone = newPhone();
  await expects(phone);
  await says(phone, 'HERE');
  const token = tokenIn((await answersTo(phone))[0]);
  const named = (firstName: string) => {
    const { phone: _, ...body } = arrival({
      firstName,
      household: [{ firstName: 'Leo', lastName: 'C', birthDate: null }],
    });
    return testApp.call(patient.nameVisit, { params: { token }, body }, nobody);
  };
  const before = await list();
  const replies = await Promise.all([named('Rosa'), named('Ana')]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const saved = replies.find(({ status }) => status === 200)?.body;
  expect(saved).toMatchObject({ statusCode: 'WAITING', members: [{}, { name: 'Leo C' }] });
  const [entry] = await list();
  expect(entry).toMatchObject({ createdAt: before[0]?.createdAt, patient: `${saved?.firstName} Castellanos` });
  expect((await testApp.auditEntries(office)).map(({ action }) => action)).toContain('visit.name');
});

test('HERE of a number that nobody expects is answered with the check-in page once, and the desk reads it', async () => {
  const phone = newPhone();
  await says(phone, 'HERE');
  await says(phone, 'here');
  expect((await textsTo(phone)).map(({ sent }) => sent)).toEqual([
    `Maple Street Pediatrics: to check in, please open this page: http://localhost:3000/c/${office.npi}`,
  ]);
  expect(await count('visit')).toBe(0);
  expect(await conversationWith(phone)).toMatchObject({ unread: 2, unanswered: true });
});

test('HERE from a waiting patient is answered once; from a patient who was called in it goes to the desk', async () => {
  const phone = newPhone();
  await checkIn({ phone });
  await says(phone, 'HERE');
  expect((await textsTo(phone)).map(({ sent }) => sent)).toEqual([
    expect.stringMatching(/: thanks, you're checked in\. Track your visit here: \S+\/visit\/\S+$/),
  ]);
  const [entry] = await list();
  await testApp.call(queue.moveVisit, { body: { id: entry?.id ?? '', action: 'INVITED' } }, { as: office });
  await says(phone, 'here');
  expect(await textsTo(phone)).toHaveLength(2);
  expect(await list()).toMatchObject([{ statusCode: 'INVITED', unreadMessages: 1 }]);
});

test('after the visit ended, HERE leads to the check-in page', async () => {
  const phone = newPhone();
  const { token } = (await checkIn({ phone })).body;
  await tap(token ?? '', 'cancel');
  await says(phone, 'HERE');
  expect((await textsTo(phone)).map(({ sent }) => sent)).toEqual([expect.stringContaining('/c/')]);
  expect(await list()).toMatchObject([{ statusCode: 'PATIENT_CANCELLED' }]);
});

test("yesterday's invitation checks nobody in", async () => {
  const phone = newPhone();
  await expects(phone);
  testApp.later(24 * 60);
  await says(phone, 'HERE');
  expect(await list()).toEqual([]);
  expect(await answersTo(phone)).toEqual([expect.stringContaining(`/c/${office.npi}`)]);
});

test('a number that sent STOP is checked in without an answer', async () => {
  const phone = newPhone();
  await expects(phone);
  await says(phone, 'STOP');
  const before = (await textsTo(phone)).length;
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING', textBlock: 'opted-out' }]);
  expect(await textsTo(phone)).toHaveLength(before);
});

test('while the practice is closed, HERE checks nobody in', async () => {
  const phone = newPhone();
  await expects(phone);
  await closed(sunday);
  testApp.later(5);
  await says(phone, 'HERE');
  expect(await list()).toEqual([]);
  expect(await conversationWith(phone)).toMatchObject({ unanswered: true });
  expect((await answersTo(phone)).join()).not.toContain('checked in');
});

test('a flood of texts checks nobody in', async () => {
  const phone = newPhone();
  await expects(phone);
  await useTextLimit(testApp, textsFromNumber.name, `${office.id} ${phone}`, textsFromNumber.points);
  await says(phone, 'HERE');
  expect(await list()).toEqual([]);
  expect(await answersTo(phone)).toEqual([]);
});

test('HERE to one practice changes nothing at another that expects the same number', async () => {
  const phone = newPhone();
  const other = await testApp.office({ name: 'CANARY Harbor' });
  await expects(phone);
  await says(phone, 'HERE', other);
  expect(await list()).toEqual([]);
  expect(await list(other)).toEqual([]);
  expect(await answersTo(phone)).toEqual([]);
  expect((await textsTo(phone, other)).map(({ sent }) => sent)).toEqual([expect.stringContaining(`/c/${other.npi}`)]);
});

test('beyond the limit of texts the patient is checked in without an answer', async () => {
  const phone = newPhone();
  await expects(phone);
  await useTextLimit(testApp, 'texts-office-number', `${office.id} ${phone}`, 15);
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING' }]);
  expect(await answersTo(phone)).toEqual([]);
});

test('an answer that a limit refused is sent when the patient texts HERE again', async () => {
  const phone = newPhone();
  await expects(phone);
  await useTextLimit(testApp, 'texts-office-number', `${office.id} ${phone}`, 15);
  await says(phone, 'HERE');
  await useTextLimit(testApp, 'texts-office-number', `${office.id} ${phone}`, 1);
  await says(phone, 'HERE');
  expect(await answersTo(phone)).toEqual([expect.stringContaining("you're checked in")]);
});

test('HERE of strangers takes nothing from the texts of the practice', async () => {
  await useTextLimit(testApp, 'texts-office', office.id, 1_000_000);
  const [stranger, another] = [newPhone(), newPhone()];
  await says(stranger, 'HERE');
  expect(await textsTo(stranger)).toHaveLength(1);
  await useTextLimit(testApp, linkTextLimits.perOffice.name, office.id, linkTextLimits.perOffice.points);
  await says(another, 'HERE');
  expect(await textsTo(another)).toEqual([]);
});

test('a number that got its links of the hour gets no further answer to HERE, at any practice', async () => {
  const phone = newPhone();
  const { name, points } = linkTextLimits.perNumber;
  await useTextLimit(testApp, name, phone, points - 1);
  await says(phone, 'HERE');
  expect(await textsTo(phone)).toHaveLength(1);
  const other = await testApp.office({ name: 'CANARY Harbor' });
  await says(phone, 'HERE', other);
  expect(await textsTo(phone, other)).toEqual([]);
});

test('HERE of strangers leaves links of the practice to those who check in', async () => {
  for (let n = 0; n <= linkTextLimits.perOfficeToStrangers.points; n++) await says(newPhone(), 'HERE');
  expect(await testApp.texts(office)).toHaveLength(linkTextLimits.perOfficeToStrangers.points);
  expect(linkTextLimits.perOfficeToStrangers.points).toBeLessThan(linkTextLimits.perOffice.points);
  const phone = newPhone();
  await checkIn({ phone });
  expect((await checkIn({ phone })).body.outcome).toBe('link-sent');
});

test('HERE of a number beyond a limit takes nothing from the limits of the practice', async () => {
  const [phone, stranger] = [newPhone(), newPhone()];
  await expects(phone);
  await useTextLimit(testApp, textLimits.perNumberEverywhere.name, phone, textLimits.perNumberEverywhere.points);
  await useTextLimit(testApp, linkTextLimits.perNumber.name, stranger, linkTextLimits.perNumber.points);
  const before = await pointsTaken();
  for (let n = 0; n < 5; n++) {
    await says(phone, 'HERE');
    await says(stranger, 'HERE');
  }
  expect(await answersTo(phone)).toEqual([]);
  expect(await textsTo(stranger)).toEqual([]);
  expect(await pointsTaken()).toEqual(before);
});

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

test('the invitation offers HERE where that takes no further segment', async () => {
  const phone = newPhone();
  await expects(phone);
  const [invitation] = await textsTo(phone);
  expect(invitation?.sent).toMatch(/: when you arrive, stay in your car and reply HERE, or check in here: \S+$/);
  const long = await testApp.office({ name: 'Maple Street Pediatrics of Brooklyn Heights' });
  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: long });
  expect((await textsTo(phone, long))[0]?.sent).toMatch(/: when you arrive, stay in your car and check in here: \S+$/);
});

test('no word that checks in is a keyword of the carriers', () => {
  const words: readonly string[] = keywords.here;
  const ofCarriers: readonly string[] = [...keywords.stop, ...keywords.start, ...keywords.help];
  expect(words.filter((word) => ofCarriers.includes(word))).toEqual([]);
  expect(keywordOf('Here is my insurance card')).toBeNull();
});
