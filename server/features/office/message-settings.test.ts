import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageSettings, sms } from '#contract/index.ts';
import { messageSettingsDefault, type MessageSettingsWithText } from '#contract/practice/message-settings.ts';
import { readOfficeByNpi } from '#contract/practice/office.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const read = async (as: TestOffice) => (await t.call(messageSettings.readMessageSettings, {}, { as })).body;
const save = async (as: TestOffice, change: Partial<MessageSettingsWithText>) =>
  t.call(messageSettings.saveMessageSettings, { body: { ...(await read(as)), ...change } }, { as });
const standardText = ({ npi }: TestOffice, name: string) =>
  `${name}: when you arrive, check in here: http://localhost:3000/c/${npi}`;
const parking = {
  id: '019aa000-0000-7000-8000-000000000001',
  name: 'Parking',
  text: { en: 'Hi {name}, park in lot B.', es: 'Hola {name}, estacione en el lote B.' },
};

test('a new practice has the default message settings', async () => {
  const of = await t.office({ name: 'Elm Clinic' });
  expect(await read(of)).toMatchObject({
    ...messageSettingsDefault,
    defaultText: standardText(of, 'Elm Clinic'),
    checkInText: 'Elm Clinic: when you arrive, stay in your car and reply HERE, or check in here: (link to the visit)',
    checkInLinkLength: 'http://localhost:3000/c/t/'.length + 32,
  });
  expect(messageSettingsDefault).toMatchObject({
    quietHours: { from: '21:00', until: '08:00' },
    appointmentLeadMinutes: 60,
  });
});

test('message settings are stored for this office only, and the audit log names what changed', async () => {
  const of = await t.office();
  const wanted = {
    quietHours: { from: '20:00', until: '09:30' },
    snippets: [parking],
    appointmentLeadMinutes: 45,
    expectedReplyMinutes: 15,
    defaultText: 'Please text us when you park.',
  };
  expect((await save(of, wanted)).body).toMatchObject(wanted);
  expect(await read(of)).toMatchObject({ ...wanted, checkInPage: `http://localhost:3000/c/${of.npi}` });
  expect(await read(t.other)).toMatchObject({ snippets: [], appointmentLeadMinutes: 60 });
  const entries = await t.inOffice(of, (tx) =>
    tx.selectFrom('auditEntry').select(['subject', 'details']).where('action', '=', 'settings.change').execute(),
  );
  expect(entries).toEqual([
    {
      subject: 'messages',
      details: { changed: 'appointmentLeadMinutes expectedReplyMinutes quietHours snippets smsText' },
    },
  ]);
});

test('the default text is the one of Send SMS; an empty one restores the standard text', async () => {
  const of = await t.office({ name: 'Elm Clinic' });
  await save(of, { defaultText: ' We are ready for you. ' });
  const readAccount = async () => (await t.call(readOfficeByNpi, { params: { npi: of.npi } }, { as: of })).body.sms;
  expect(await readAccount()).toBe('We are ready for you.');
  await t.call(sms.saveSmsText, { body: { officeId: of.id, text: 'Come in.' } }, { as: of });
  expect((await read(of)).defaultText).toBe('Come in.');
  expect((await save(of, { defaultText: '' })).body.defaultText).toBe(standardText(of, 'Elm Clinic'));
});

test('a practice that is not confirmed changes its settings but not its default text', async () => {
  const of = await t.office();
  await t.owner.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', of.id).execute();
  const refused = await save(of, { defaultText: 'Buy now', appointmentLeadMinutes: 30 });
  expect([refused.status, refused.body.code]).toEqual([403, 'limited_own_words']);
  expect((await read(of)).appointmentLeadMinutes).toBe(60);
  expect((await save(of, { appointmentLeadMinutes: 30 })).body.appointmentLeadMinutes).toBe(30);
});

test('saving unchanged message settings writes no audit entry', async () => {
  const of = await t.office();
  await save(of, {});
  const entries = await t.inOffice(of, (tx) =>
    tx.selectFrom('auditEntry').select('id').where('action', '=', 'settings.change').execute(),
  );
  expect(entries).toEqual([]);
});

test.each<[string, Partial<MessageSettingsWithText>]>([
  ['quiet hours without length', { quietHours: { from: '08:00', until: '08:00' } }],
  ['25 o’clock', { quietHours: { from: '25:00', until: '08:00' } }],
  ['a snippet without words', { snippets: [{ ...parking, text: { en: ' ', es: '' } }] }],
  ['a snippet without a name', { snippets: [{ ...parking, name: ' ' }] }],
  ['two snippets with one id', { snippets: [parking, parking] }],
  ['a lead time of a minute', { appointmentLeadMinutes: 1 }],
  ['a text of a page', { defaultText: 'x'.repeat(1_401) }],
])('message settings refuse %s', async (_what, change) => {
  const { status, body } = await save(t.maple, change);
  expect([status, body.code]).toEqual([400, 'invalid_input']);
});
