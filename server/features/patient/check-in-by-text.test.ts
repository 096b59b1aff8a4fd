import { expect, test } from 'vitest';
import { keywordOf, keywords } from '#contract/texting.ts';
import { patient, queue, smsCheckin } from '#contract/index.ts';
import { keepMedia } from '#server/providers/sms/local.ts';
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
import { patientTexts } from '#testing/fixtures/texts.ts';
import { says, expects, answersTo, conversationWith } from '#testing/fixtures/check-in-by-text.ts';

openPatientApp();

const tokenIn = (sent: string | undefined) => /\/visit\/([\w-]{22,64})$/.exec(sent ?? '')?.[1] ?? '';
const closed = (openingHours: object) =>
  testApp.inOffice(office, async (tx) => {
    const { queueSettings } = await tx.selectFrom('office').select('queueSettings').executeTakeFirstOrThrow();
    await tx
      .updateTable('office')
      .set({ queueSettings: JSON.stringify({ ...queueSettings, openingHours }) as never })
      .execute();
  });
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
