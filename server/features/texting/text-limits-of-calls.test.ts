import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversationMessages, conversations, formsDesk, queue, sms, smsCheckin, team } from '#contract/index.ts';
import { limitedTextsPerDay, textLimits } from '#contract/texting.ts';
import { requestForms, arrivalForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { addText, patientTexts, useTextLimit } from '#testing/fixtures/texts.ts';

let t: TestApp;
let beside: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  beside = await openTestApp({ beside: t });
});
afterAll(async () => {
  await beside.close();
  await t.close();
});

const phone = (n: number) => `+1646555${String(2000 + n)}`;
const limited = () => t.office({ confirmedBy: null });
const use = (name: string, key: string, points: number) => useTextLimit(t, name, key, points);

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(t.now());
const inSeconds = (seconds: number) => new Date(t.now().getTime() + seconds * 1000).toISOString();

type Call = () => Promise<{ status: number; body: { code?: string }; headers: Record<string, unknown> }>;
const expected = async (office: TestOffice, number: string) => {
  const { body } = await t.call(smsCheckin.addCheckin, { body: { phone: number } }, { as: office });
  return body._id;
};
let spare = 900;

/** Every call that texts a number on behalf of a practice, ready to be made. */
const callsThatText: Record<string, (office: TestOffice, number: string) => Promise<Call>> = {
  addCheckin: async (office, number) => () =>
    t.call(smsCheckin.addCheckin, { body: { phone: number } }, { as: office }),
  correctCheckin: async (office, number) => {
    const id = await expected(office, phone(spare++));
    return () => t.call(smsCheckin.correctCheckin, { body: { id, phone: number } }, { as: office });
  },
  resendCheckin: async (office, number) => {
    const id = await expected(office, number);
    return () => t.call(smsCheckin.resendCheckin, { body: { id } }, { as: office });
  },
  'ask-form': async (office, number) => {
    await requestForms(t, office, [arrivalForm]);
    const { id } = await t.visit({ office, phone: number });
    const asked = { params: { visitId: id }, body: { formType: 'arrival' } };
    return () => t.call(formsDesk.askForForm, asked, { as: office });
  },
  message: async (office, number) => {
    const { patientUserCode } = await t.visit({ office, phone: number });
    const message = { params: { userCode: patientUserCode }, body: { title: 'Hi', body: 'We are ready.' } };
    return () => t.call(queue.messagePatient, message, { as: office, headers: { 'idempotency-key': t.services.id() } });
  },
  invitation: async (office, number) => () => t.call(team.inviteColleague, { body: { phone: number } }, { as: office }),
  'invitation again': async (office, number) => {
    const { body } = await t.call(team.inviteColleague, { body: { phone: number } }, { as: office });
    return () => t.call(team.resendInvitation, { params: { invitationId: body.id } }, { as: office });
  },
  'answer in the inbox': async (office, number) => {
    await patientTexts(t, number, 'Which door?', { office });
    const found = await t.call(conversations.searchInbox, { body: { search: number.slice(2) } }, { as: office });
    const body = { conversationId: found.body.conversations[0]?.pk ?? '', body: 'The blue one' };
    return () => t.call(conversationMessages.sendMessage, { body }, { as: office });
  },
  'retry of a failed text': async (office, number) => {
    const textId = await addText(t, { office, toPhone: number, sendBy: 'Dana' });
    await t.inOffice(office, (tx) =>
      tx
        .updateTable('text')
        .set({ state: 'failed', errorClass: 'delivery' })
        .where('officeId', '=', office.id)
        .where('id', '=', textId)
        .execute(),
    );
    return () => t.call(sms.retryText, { params: { textId } }, { as: office });
  },
};
const textsTo = async (number: string, offices: TestOffice[]) =>
  (await Promise.all(offices.map((office) => t.texts(office)))).flat().filter(({ toPhone }) => toPhone === number);

test.each(Object.keys(callsThatText))(
  "%s is refused over the practice's hourly limit, with Retry-After",
  async (name) => {
    const office = await t.office();
    const number = phone(spare++);
    const call = await callsThatText[name]?.(office, number);
    const before = await textsTo(number, [office]);
    await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
    const reply = await call?.();
    expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_texts' } });
    expect(reply?.headers['retry-after']).toBe('3600');
    expect(await textsTo(number, [office])).toEqual(before);
  },
);

test.each(Object.keys(callsThatText))("%s is refused over a number's limit across all practices", async (name) => {
  const [office, next] = [await t.office(), await t.office()];
  const number = phone(spare++);
  const calls = [await callsThatText[name]?.(office, number), await callsThatText[name]?.(next, number)];
  const before = await textsTo(number, [office, next]);
  await use(textLimits.perNumberEverywhere.name, number, textLimits.perNumberEverywhere.points);
  for (const call of calls) {
    const reply = await call?.();
    expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_texts_to_number' } });
    expect(reply?.headers['retry-after']).toBe('3600');
  }
  expect(await textsTo(number, [office, next])).toEqual(before);
  const another = await callsThatText[name]?.(office, phone(spare++));
  expect((await another?.())?.status).toBe(200);
});

test('a list reaches no number that has had its texts of the day from all practices', async () => {
  const office = await t.office();
  const [number, other] = [phone(spare++), phone(spare++)];
  await use(textLimits.perNumberPerDay.name, number, textLimits.perNumberPerDay.points);
  const deliveryOptions = [number, other].map((phoneNumber) => ({ phoneNumber, sendAt: '' }));
  const { body } = await t.call(
    sms.sendSms,
    { body: { message: 'We close at noon.', deliveryOptions } },
    { as: office },
  );
  expect(body).toMatchObject({ accepted: 1, limited: 1 });
  expect((await t.texts(office)).map(({ toPhone }) => toPhone)).toEqual([other]);
});

/** Calls that move a visit: they are never refused by a limit, their text is held and shown. */
const movesThatText: Record<string, (office: TestOffice, number: string) => Promise<Call>> = {
  invite: async (office, number) => {
    const { id } = await t.visit({ office, phone: number });
    return () => t.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office });
  },
  reinvite: async (office, number) => {
    const { id } = await t.visit({ office, phone: number, moves: ['invite'] });
    return () => t.call(queue.moveVisit, { body: { id, action: 'REINVITED' } }, { as: office });
  },
  'updateCheckin ENTER': async (office, number) => {
    const { id } = await t.visit({ office, phone: number });
    return () => t.call(smsCheckin.updateCheckin, { body: { id, status: 'ENTER' } }, { as: office });
  },
  'reinvite of the SMS dashboard': async (office, number) => {
    const { id } = await t.visit({ office, phone: number, moves: ['invite'] });
    return () => t.call(smsCheckin.reinviteCheckin, { body: { id } }, { as: office });
  },
};

test.each(
  Object.keys(movesThatText).flatMap((name) =>
    (['practice-hour', 'number-hour', 'number-day'] as const).map((limit) => ({ name, limit })),
  ),
)(
  '$name beyond the limit $limit moves the visit, and its held text names that limit and its end',
  async ({ name, limit }) => {
    const office = await t.office();
    const number = phone(spare++);
    const move = await movesThatText[name]?.(office, number);
    const { perOffice, perNumberEverywhere, perNumberPerDay } = textLimits;
    if (limit === 'practice-hour') await use(perOffice.name, office.id, perOffice.points);
    else if (limit === 'number-hour') await use(perNumberEverywhere.name, number, perNumberEverywhere.points);
    else await use(perNumberPerDay.name, number, perNumberPerDay.points);
    expect((await move?.())?.status).toBe(200);
    expect((await t.texts(office)).at(-1)).toMatchObject({
      toPhone: number,
      state: 'held',
      errorClass: limit,
      limitedUntil: new Date(inSeconds(3_600)),
    });
  },
);

test.each(['addCheckin', 'resendCheckin'])(
  '%s of a limited practice is refused after its 50 texts of the day, until its midnight',
  async (name) => {
    const office = await limited();
    const number = phone(spare++);
    // It may text its own staff.
    await t.addStaff({ name: 'Luis Ortega', phone: number }, [office]);
    const call = await callsThatText[name]?.(office, number);
    await use('texts-limited-office', `${office.id} ${today()}`, limitedTextsPerDay);
    const reply = await call?.();
    expect(reply).toMatchObject({ status: 429, body: { code: 'limited_texts_per_day' } });
    const again = new Date(t.now().getTime() + Number(reply?.headers['retry-after']) * 1000);
    expect(again.toLocaleString('en-US', { timeZone: 'America/New_York', timeStyle: 'medium' })).toBe('12:00:00 AM');
  },
);
