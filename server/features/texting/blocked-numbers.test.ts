import { afterAll, expect, test } from 'vitest';
import { conversationMessages, conversations, directory, queue, sms, smsCheckin } from '#contract/index.ts';
import type { TextBlock } from '#contract/queue.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { addText, patientTexts, sendDueTexts, textRow, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;

/** What each place of a practice says about a number. */
async function saidAbout(phone: string, as: TestOffice, visitId: string) {
  const { body: opened } = await t.call(queue.readVisit, { params: { visitId } }, { as });
  const { body: checkins } = await t.call(smsCheckin.listSmsCheckins, { params: { officeId: as.id } }, { as });
  const { body: inbox } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } }, { as });
  const { body: found } = await t.call(directory.searchPatients, { body: { search: phone.slice(2) } }, { as });
  const patientId = found.patients[0]?.id ?? '';
  const { body: file } = await t.call(directory.readPatient, { params: { patientId } }, { as });
  const body = { message: 'Hi', deliveryOptions: [{ phoneNumber: phone, sendAt: '' }] };
  const { body: preview } = await t.call(sms.previewSms, { body }, { as });
  return {
    card: opened.visit.textBlock,
    checkin: checkins.find(({ patientId: { phone: number } }) => number === phone)?.textBlock,
    conversation: inbox.conversations[0]?.textBlock,
    file: file.textBlock,
    list: preview.rows[0]?.status === 'ready' ? null : preview.rows[0]?.status,
  };
}
const everywhere = (block: TextBlock | null) => ({
  card: block,
  checkin: block,
  conversation: block,
  file: block,
  list: block,
});

/** Writes the row only: what follows is what each place reads. */
const blockNumber = (phone: string, block: TextBlock, office: TestOffice) =>
  t.inOffice(office, (tx) =>
    block === 'landline'
      ? tx
          .insertInto('landline')
          .values({ officeId: office.id, id: t.services.id(), phone, reportedAt: t.now() })
          .execute()
      : tx.insertInto('optOut').values({ officeId: office.id, id: t.services.id(), phone, at: t.now() }).execute(),
  );

test.each([
  ['opted-out', 'number_opted_out'],
  ['landline', 'number_is_landline'],
] as const)('every place follows a number that is newly blocked: %s', async (block, code) => {
  const phone = newPhone();
  const { id: theirs } = await t.visit({ phone, office: t.other });
  const { id } = await t.visit({ phone });
  for (const office of [t.maple, t.other]) await patientTexts(t, phone, 'Hello', { office });
  expect(await saidAbout(phone, t.maple, id)).toEqual(everywhere(null));
  const waiting = await addText(t, { toPhone: phone });
  await blockNumber(phone, block, t.maple);

  expect(await saidAbout(phone, t.maple, id)).toEqual(everywhere(block));
  const { body: inbox } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  const conversationId = inbox.conversations[0]?.pk ?? '';
  const answer = await t.call(conversationMessages.sendMessage, { body: { conversationId, body: 'Hi' } });
  expect(answer).toMatchObject({ status: 409, body: { code } });
  const before = (await textsTakenByCarrier(t, phone)).length;
  await sendDueTexts(t.services);
  expect(await textRow(t, waiting)).toMatchObject({ state: 'failed', errorClass: block });
  expect(await textsTakenByCarrier(t, phone)).toHaveLength(before);

  expect(await saidAbout(phone, t.other, theirs)).toEqual(everywhere(null));
});

test('a landline that sent STOP counts as opted out', async () => {
  const phone = newPhone();
  const { id } = await t.visit({ phone });
  await patientTexts(t, phone, 'Hello');
  await blockNumber(phone, 'landline', t.maple);
  await blockNumber(phone, 'opted-out', t.maple);
  expect(await saidAbout(phone, t.maple, id)).toEqual(everywhere('opted-out'));
});
