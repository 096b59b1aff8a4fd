import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversations, formsDesk, patient, queue, sms, smsCheckin, team } from '#contract/index.ts';
import { limitedTextsPerDay, textLimits } from '#contract/texting.ts';
import { inviteDueVisits } from '#server/features/queue/jobs.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { requestForms, arrivalForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { addText, patientTexts, releaseHeldTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

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
const expectPatient = (office: TestOffice, n: number, words: { text?: string } = {}) =>
  t.call(smsCheckin.addCheckin, { body: { phone: phone(n), ...words } }, { as: office });
const limited = () => t.office({ confirmedBy: null });
const checkIn = (office: TestOffice, number: string) =>
  t.call(
    patient.checkIn,
    {
      params: { npi: office.npi },
      body: {
        firstName: 'Ada',
        lastName: 'Byron',
        birthDate: '1990-12-10',
        phone: number,
        household: [],
        language: 'en',
      },
    },
    { as: null },
  );
/** As if the practice had sent this many texts in the last hour. */
const use = async (name: string, key: string, points: number) => {
  const expire = t.now().getTime() + 3_600_000;
  await t.services.pool.query(
    'insert into rate_limit (key, points, expire) values ($1, $2, $3) on conflict (key) do update set points = $2, expire = $3',
    [rateLimitKey({ name, points, seconds: 3600 }, key), points, expire],
  );
};

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(t.now());
const inSeconds = (seconds: number) => new Date(t.now().getTime() + seconds * 1000).toISOString();

test('a limited practice can send its own text to nobody', async () => {
  const office = await limited();
  const visit = await t.visit({ office });
  const message = { params: { userCode: visit.patientUserCode }, body: { title: 'Hi', body: 'See evil.example' } };
  const replies = [
    await expectPatient(office, 1, { text: 'You won, see evil.example' }),
    await t.call(queue.messagePatient, message, { as: office, headers: { 'idempotency-key': 'own words' } }),
  ];
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'limited_own_words'],
    [403, 'limited_own_words'],
  ]);
  expect(await t.texts(office)).toEqual([]);
});

test('a limited practice can text a number that checked in, and no other', async () => {
  const office = await limited();
  expect((await expectPatient(office, 2)).body.code).toBe('limited_recipient');
  expect((await t.call(smsCheckin.listSmsCheckins, { params: { officeId: office.id } }, { as: office })).body).toEqual(
    [],
  );
  await t.visit({ phone: phone(2) }); // checked in at another practice
  expect((await expectPatient(office, 2)).body.code).toBe('limited_recipient');
  const visit = await t.visit({ office, phone: phone(2) });
  const invited = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
  expect(invited.status).toBe(200);
  expect((await t.texts(office)).map(({ toPhone, state }) => [toPhone, state])).toEqual([[phone(2), 'queued']]);
});

test('a limited practice can text the number of a colleague', async () => {
  const office = await limited();
  await t.addStaff({ name: 'Luis Ortega', phone: phone(3) }, [office]);
  expect((await expectPatient(office, 3)).status).toBe(200);
});

test('60 concurrent texts of a limited practice: 50 are queued, 50 more the next day, and another practice is not affected', async () => {
  const office = await limited();
  const visits: { id: string }[] = [];
  for (let n = 0; n < 60; n++) visits.push(await t.visit({ office, phone: phone(100 + n) }));
  const invite = (i: number, action: 'INVITED' | 'REINVITED') =>
    (i % 2 ? t : beside).call(queue.moveVisit, { body: { id: visits[i]?.id ?? '', action } }, { as: office });
  const replies = await Promise.all(visits.map((_, i) => invite(i, 'INVITED')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const states = (await t.texts(office)).map(({ state }) => state);
  expect(states.filter((state) => state === 'queued')).toHaveLength(limitedTextsPerDay);
  expect(states.filter((state) => state === 'held')).toHaveLength(60 - limitedTextsPerDay);
  const refused = await expectPatient(office, 100 + 60, {});
  expect(refused.body.code).toBe('limited_recipient');

  const next = await t.visit({ moves: ['invite'] });
  expect((await t.texts()).filter(({ visitId }) => visitId === next.id)).toHaveLength(1);

  t.later(24 * 60);
  const tomorrow = await t.visit({ office, phone: phone(100) });
  const body = { id: tomorrow.id, action: 'INVITED' } as const;
  expect((await t.call(queue.moveVisit, { body }, { as: office })).status).toBe(200);
});

test('the texts of a practice without a number count towards its limits, although none is sent', async () => {
  const office = await t.office({ textNumber: null });
  const visit = await t.visit({ office, phone: phone(5) });
  const message = (key: string, of = office, userCode = visit.patientUserCode) =>
    t.call(
      queue.messagePatient,
      { params: { userCode }, body: { title: 'Hi', body: 'Hello' } },
      { as: of, headers: { 'idempotency-key': key } },
    );
  await use('texts-office', office.id, textLimits.perOffice.points - 1);
  await message('one');
  expect((await message('two')).body).toMatchObject({ code: 'too_many_texts' });
  expect(await t.texts(office)).toMatchObject([{ state: 'failed', errorClass: 'sender' }]);
  const elsewhere = await t.visit({ phone: phone(5) });
  expect((await message('three', t.maple, elsewhere.patientUserCode)).status).toBe(200);
});

test("a limited practice's check-in page resends the link to the number that checked in", async () => {
  const office = await limited();
  expect((await checkIn(office, phone(4))).body.outcome).toBe('visit');
  expect((await checkIn(office, phone(4))).body.outcome).toBe('link-sent');
  expect(await t.texts(office)).toHaveLength(1);
});

test('a practice over its hourly limit can still invite, and learns when it can text a new number again', async () => {
  const office = await t.office();
  const visit = await t.visit({ office });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  const reply = await expectPatient(office, 5);
  expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_texts' } });
  expect(reply.headers['retry-after']).toBe('3600');
  const moved = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
  expect(moved).toMatchObject({ status: 200, body: { statusCode: 'INVITED' } });
  const { body } = await t.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(body.visit).toMatchObject({
    statusCode: 'INVITED',
    lastMessageState: 'held',
    lastTextProblem: 'practice-hour',
    lastTextLimitedUntil: inSeconds(3_600),
  });
  expect(await t.texts(office)).toHaveLength(1);
  t.later(61);
  expect((await expectPatient(office, 5)).status).toBe(200);
});

test("the operator can raise a practice's hourly limit on texts", async () => {
  const office = await t.office({ settings: { textsPerHour: textLimits.perOffice.points + 1 } });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  expect((await expectPatient(office, 6)).status).toBe(200);
  expect((await expectPatient(office, 7)).body.code).toBe('too_many_texts');
});

test('texts to a number are limited per practice and across all practices', async () => {
  const office = await t.office();
  const visit = await t.visit({ office, phone: phone(8), moves: ['invite'] });
  const remind = () => t.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } }, { as: office });
  const statuses = [];
  for (let n = 0; n < textLimits.perNumber.points; n++) statuses.push((await remind()).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const left = (await t.texts(office)).filter(({ state }) => state === 'queued');
  expect(left).toHaveLength(textLimits.perNumber.points);

  await use(textLimits.perNumberPerDay.name, phone(9), textLimits.perNumberPerDay.points);
  for (const one of [office, t.maple]) expect((await expectPatient(one, 9)).body.code).toBe('too_many_texts_to_number');
  expect((await expectPatient(office, 10)).status).toBe(200);
});

test('a colleague with only a phone is removed even if the practice is over its limit on texts', async () => {
  const office = await t.office();
  const personId = await t.addStaff({ name: 'Luis Ortega', phone: phone(13) }, [office]);
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  const removed = await t.call(team.removeColleague, { params: { personId } }, { as: office });
  expect(removed).toMatchObject({ status: 200, body: { removed: true } });
  expect(await t.texts(office)).toEqual([]);
});

test('a limited practice invites colleagues by email only', async () => {
  const office = await limited();
  await t.visit({ office, phone: phone(14) });
  const reply = await t.call(team.inviteColleague, { body: { phone: phone(14) } }, { as: office });
  expect(reply).toMatchObject({ status: 403, body: { code: 'limited_phone_invitation' } });
  expect(await t.texts(office)).toEqual([]);
});

test("other practices' texts to a number do not keep one from texting its patient who opened the texted link", async () => {
  const office = await t.office();
  const visit = await t.visit({ office, phone: phone(12), moves: ['invite'] });
  await use(textLimits.perNumberPerDay.name, phone(12), textLimits.perNumberPerDay.points);
  const message = { params: { userCode: visit.patientUserCode }, body: { title: 'Hi', body: 'We are ready.' } };
  const say = (key: string) =>
    t.call(queue.messagePatient, message, { as: office, headers: { 'idempotency-key': key } });
  expect((await say('before')).body.code).toBe('too_many_texts_to_number');
  const token = await t.provedToken(visit.id, office);
  await t.call(patient.readPatientVisit, { params: { token } }, { as: null });
  expect((await say('after')).status).toBe(200);
  expect((await expectPatient(t.maple, 12)).body.code).toBe('too_many_texts_to_number');
});

test('practices that are not confirmed have a limit together on texts to a number, and a confirmed practice still texts it', async () => {
  const office = await t.office();
  const number = phone(spare++);
  const unconfirmed = [await limited(), await limited()];
  for (const one of unconfirmed) {
    const { id } = await t.visit({ office: one, phone: number, moves: ['invite'] });
    for (let n = 0; n < textLimits.perNumber.points; n++)
      await t.call(queue.moveVisit, { body: { id, action: 'REINVITED' } }, { as: one });
  }
  expect((await t.call(smsCheckin.addCheckin, { body: { phone: number } }, { as: office })).status).toBe(200);
  expect((await textsTo(number, [office])).map(({ state }) => state)).toEqual(['queued']);
  const texts = await textsTo(number, unconfirmed);
  expect(texts.filter(({ state }) => state === 'queued')).toHaveLength(textLimits.perNumberOfUnconfirmed.points);
  expect(texts.at(-1)).toMatchObject({ state: 'held', errorClass: 'number-hour' });
});

test('a practice that is not confirmed learns that others like it have used up the texts of a number for the day', async () => {
  const office = await limited();
  const number = phone(spare++);
  const { perNumberPerDayOfUnconfirmed } = textLimits;
  await use(perNumberPerDayOfUnconfirmed.name, number, perNumberPerDayOfUnconfirmed.points);
  await t.visit({ office, phone: number, moves: ['invite'] });
  expect(await textsTo(number, [office])).toMatchObject([{ state: 'held', errorClass: 'number-day' }]);
});

test('requesting a form is refused over a limit like any other text', async () => {
  const office = await t.office();
  await requestForms(t, office, [arrivalForm]);
  const visit = await t.visit({ office });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  const asked = { params: { visitId: visit.id }, body: { formType: 'arrival' } };
  expect((await t.call(formsDesk.askForForm, asked, { as: office })).body.code).toBe('too_many_texts');
});

test('an automatic invite over the limit is held and shown, the visit moves, and the release sends its link', async () => {
  const office = await t.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 0 } });
  const visit = await t.visit({ office });
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points);
  await inviteDueVisits(t.services);
  const { body } = await t.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(body.visit.statusCode).toBe('INVITED');
  expect(body.messages).toMatchObject([
    { kind: 'invite', state: 'held', problem: 'practice-hour', limitedUntil: inSeconds(3_600) },
  ]);
  await releaseHeldTexts(t.services);
  await sendDueTexts(t.services);
  const [taken] = await textsTakenByCarrier(t, visit.username);
  expect(taken?.body).toMatch(/Please come in now\. http:\/\/localhost:3000\/visit\/[\w-]{32}$/);
});

test('HELP is answered five times an hour per number, STOP always counts', async () => {
  const say = async (words: string, from = phone(11)) => {
    const { textNumber } = await t.inOffice(t.maple, (tx) =>
      tx.selectFrom('office').select('textNumber').where('id', '=', t.maple.id).executeTakeFirstOrThrow(),
    );
    const payload = JSON.stringify({ providerId: t.services.id(), from, to: textNumber, body: words });
    return t.app.inject({
      method: 'POST',
      url: '/api/sms/inbound',
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signBody(t.env.secrets.webhook, payload, t.now()),
      },
      payload,
    });
  };
  for (let n = 0; n < 8; n++) expect((await say('HELP')).statusCode).toBe(200);
  expect((await t.texts()).filter(({ kind, toPhone }) => kind === 'notice' && toPhone === phone(11))).toHaveLength(5);
  await say('HELP', '+14165550100'); // Toronto
  expect((await t.texts()).filter(({ toPhone }) => toPhone === '+14165550100')).toEqual([]);
  await say('STOP');
  const texts = (await t.texts()).length;
  expect(await expectPatient(t.maple, 11)).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  expect(await t.texts()).toHaveLength(texts);
});

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
    return () => t.call(conversations.sendMessage, { body }, { as: office });
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

test("the 51st invite of a limited practice's day moves the visit, and its text is held until the practice's midnight", async () => {
  const office = await limited();
  const { id } = await t.visit({ office, phone: phone(spare++) });
  await use('texts-limited-office', `${office.id} ${today()}`, limitedTextsPerDay);
  const { body } = await t.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office });
  expect(body).toMatchObject({ statusCode: 'INVITED', lastMessageState: 'held', lastTextProblem: 'unconfirmed-day' });
  const until = new Date(body.lastTextLimitedUntil ?? 0);
  expect(until.getTime()).toBeGreaterThan(t.now().getTime());
  expect(until.toLocaleString('en-US', { timeZone: 'America/New_York', timeStyle: 'medium' })).toBe('12:00:00 AM');
});

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

test('16 parallel texts at the last one of the hour: exactly one leaves, the others are refused', async () => {
  const office = await t.office();
  await use(textLimits.perOffice.name, office.id, textLimits.perOffice.points - 1);
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      (n % 2 ? t : beside).call(smsCheckin.addCheckin, { body: { phone: phone(spare++) } }, { as: office }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(429)]);
  expect(await t.texts(office)).toHaveLength(1);
});
