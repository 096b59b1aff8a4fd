import { afterAll, describe, expect, test } from 'vitest';
import { conversationMessages, conversations, queue, sms, smsCheckin } from '#contract/index.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import {
  addText,
  carrierReports,
  patientTexts,
  report,
  sendDueTexts,
  textRow,
  textsTakenByCarrier,
} from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;
const entryOf = async (visitId: string) =>
  (await t.call(queue.listQueue, { query: {} })).body.find(({ id }) => id === visitId);
/** The carrier accepted a text and reports later that the number is a landline. */
async function reportLandline(phone: string, office: TestOffice = t.maple): Promise<string> {
  const id = await addText(t, { toPhone: phone, office });
  await sendDueTexts(t.services);
  const { providerId } = await textRow(t, id, office);
  await report(t, { providerId: providerId ?? '', state: 'failed', errorClass: 'landline' });
  return id;
}

describe('a number that the carrier reports as a landline', () => {
  test('a landline is shown on the card and in the inbox, and what waits for it is not sent', async () => {
    const phone = newPhone();
    const visit = await t.visit({ phone });
    await patientTexts(t, phone, 'Hello');
    const later = await addText(t, { toPhone: phone, sendAt: new Date(t.now().getTime() + 3_600_000) });
    expect(await entryOf(visit.id)).toMatchObject({ textBlock: null });
    const id = await reportLandline(phone);
    expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass: 'landline' });
    expect(await textRow(t, later)).toMatchObject({ state: 'failed', errorClass: 'landline' });
    const { body } = await t.call(conversations.readInbox, { query: { filter: 'all' } });
    expect(body.conversations.find((one) => one.phone === phone)).toMatchObject({ textBlock: 'landline' });
    expect(await entryOf(visit.id)).toMatchObject({ textBlock: 'landline' });
  });

  test('every later text to a landline is refused or fails, wherever it is written', async () => {
    const phone = newPhone();
    const visit = await t.visit({ phone, moves: ['invite'] });
    await sendDueTexts(t.services);
    await reportLandline(phone);
    const sent = (await textsTakenByCarrier(t, phone)).length;
    const refusal = { status: 409, body: { code: 'number_is_landline' } };
    const message = await t.call(queue.messagePatient, {
      params: { userCode: visit.patientUserCode },
      body: { body: 'Second door' },
    });
    expect(message.body).toMatchObject({ state: 'failed', problem: 'landline' });
    const invited = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } });
    expect(invited.body).toMatchObject({ lastMessageState: 'failed', lastTextProblem: 'landline' });
    const { body: inbox } = await t.call(conversations.searchInbox, { body: { search: phone.slice(-7) } });
    const conversationId = inbox.conversations[0]?.pk ?? '';
    expect(await t.call(conversationMessages.sendMessage, { body: { conversationId, body: 'Hi' } })).toMatchObject(
      refusal,
    );
    const other = newPhone();
    await reportLandline(other);
    expect(await t.call(smsCheckin.addCheckin, { body: { phone: other } })).toMatchObject(refusal);
    const deliveryOptions = [{ phoneNumber: other, sendAt: '' }];
    expect(await t.call(sms.sendSms, { body: { message: 'Hi', deliveryOptions } })).toMatchObject(refusal);
    await sendDueTexts(t.services);
    expect(await textsTakenByCarrier(t, phone)).toHaveLength(sent);
  });

  test('a landline is counted in a list, and the others of the list are texted', async () => {
    const [landline, mobile] = [newPhone(), newPhone()];
    await reportLandline(landline);
    const deliveryOptions = [landline, mobile].map((phoneNumber) => ({ phoneNumber, sendAt: '' }));
    const body = { message: 'The office closes at noon.', deliveryOptions };
    const preview = await t.call(sms.previewSms, { body });
    expect(preview.body).toMatchObject({ people: 1, badNumbers: 0, landlines: 1 });
    expect(preview.body.rows.map(({ status }) => status)).toEqual(['landline', 'ready']);
    expect((await t.call(sms.sendSms, { body })).body).toMatchObject({ accepted: 1, landlines: 1 });
  });

  test('a landline is a mobile number again once it texts', async () => {
    const phone = newPhone();
    const visit = await t.visit({ phone, moves: ['invite'] });
    await sendDueTexts(t.services);
    await reportLandline(phone);
    await patientTexts(t, phone, 'Here I am');
    expect(await entryOf(visit.id)).toMatchObject({ textBlock: null });
    expect(await textRow(t, await addText(t, { toPhone: phone }))).toMatchObject({ state: 'queued' });
  });

  test('a landline is known only to the practice that texted it', async () => {
    const phone = newPhone();
    await reportLandline(phone);
    const theirs = await addText(t, { toPhone: phone, office: t.other });
    expect(await textRow(t, theirs, t.other)).toMatchObject({ state: 'queued' });
  });
});

test('the local carrier has a number that fails as a landline at once and one that fails later', async () => {
  const [atOnce, later] = [
    await addText(t, { toPhone: '+12025550004' }),
    await addText(t, { toPhone: '+12025550005' }),
  ];
  await sendDueTexts(t.services);
  expect(await textRow(t, atOnce)).toMatchObject({ state: 'failed', errorClass: 'landline' });
  expect(await textRow(t, later)).toMatchObject({ state: 'sent' });
  t.later(0.05);
  await carrierReports(t);
  expect(await textRow(t, later)).toMatchObject({ state: 'failed', errorClass: 'landline' });
});

test('two reports about one landline at the same moment are one', async () => {
  const phone = newPhone();
  const ids = await Promise.all([1, 2, 3, 4].map(() => addText(t, { toPhone: phone })));
  await sendDueTexts(t.services);
  const rows = await Promise.all(ids.map((id) => textRow(t, id)));
  const statuses = await Promise.all(
    rows.map(({ providerId }) => report(t, { providerId: providerId ?? '', state: 'failed', errorClass: 'landline' })),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const known = await t.inOffice(t.maple, (tx) =>
    tx.selectFrom('landline').select('id').where('phone', '=', phone).execute(),
  );
  expect(known).toHaveLength(1);
});
