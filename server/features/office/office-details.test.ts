import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { office, officeDetails, queue } from '#contract/index.ts';
import type { OfficeDetails } from '#contract/practice/details.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

let desk: TestOffice;
let desks = 0;
beforeEach(async () => {
  desk = await t.office({ name: 'Maple Street Pediatrics' });
  everything.addressLine1 = `${++desks} River Road`;
});

const read = async () => (await t.call(officeDetails.readOfficeDetails, {}, { as: desk })).body;
const save = async (change: Partial<OfficeDetails>, headers = {}) => {
  const { npi: _npi, npiProvisional: _provisional, ...before } = await read();
  return t.call(officeDetails.saveOfficeDetails, { body: { ...before, ...change } }, { as: desk, headers });
};
const everything: OfficeDetails = {
  name: 'Maple Pediatrics West',
  addressLine1: '1 River Road',
  city: 'Denver',
  state: 'CO',
  zip: '80203-1234',
  email: 'desk@maple.test',
  itContact: 'Ann, (212) 555-0190',
  emr: 'Epic',
  patientSize: '501-1000',
  agesTreated: ['Children', 'Newborns'],
  url: 'https://maple.example',
  phone: '+13035550190',
  timeZone: 'America/Denver',
};

test('saving office details stores every field, notifies all screens and writes the audit log', async () => {
  expect((await save({ ...everything, email: ' Desk@Maple.test ', url: 'maple.example' })).status).toBe(200);
  expect(await read()).toEqual({ ...everything, npi: desk.npi, npiProvisional: false });
  const account = await t.call(office.readOfficeByNpi, { params: { npi: desk.npi } }, { as: desk });
  expect(account.body).toMatchObject({ officeName: everything.name, emr: 'Epic', timeZone: 'America/Denver' });
  const written = (await t.auditEntries(desk)).filter(({ action }) => action === 'office.change');
  expect(written).toMatchObject([{ outcome: 'done', details: { changed: expect.stringContaining('timeZone') } }]);
});

test('saving unchanged office details writes nothing', async () => {
  await save(everything);
  await save(everything);
  expect((await t.auditEntries(desk)).filter(({ action }) => action === 'office.change')).toHaveLength(1);
});

test.each<[Partial<OfficeDetails>, string, string]>([
  [{ addressLine1: ' ' }, 'addressLine1', "Please enter your practice's address"],
  [{ city: '' }, 'city', "Please enter your practice's city"],
  [{ state: 'ZZ' }, 'state', "Please select your practice's state"],
  [{ zip: '1234' }, 'zip', "Please enter your practice's ZIP code"],
  [{ name: '' }, 'name', 'Please enter the name of your practice'],
  [{ email: 'a@b.c' }, 'email', 'Please enter your email address'],
  [{ phone: '555-0190' }, 'phone', 'Please enter a 10-digit phone number, or leave it empty'],
  [{ emr: 'Abacus' }, 'emr', 'Please select the management software your practice uses'],
  [{ patientSize: 'many' }, 'patientSize', 'Please select the number of patients your practice has'],
  [{ agesTreated: ['Dogs'] }, 'agesTreated', 'Please select the ages your practice treats'],
  [{ timeZone: 'Mars/Olympus' }, 'timeZone', "Please select your practice's time zone"],
  [{ url: 'nothing' }, 'url', 'Please enter a web address like www.example.com, or leave it empty'],
])('saving office details with %o is refused at its field and changes nothing', async (change, field, message) => {
  const before = await read();
  const { status, body } = await save({ ...change, ...(change.name === undefined && { name: 'Not This' }) });
  expect([status, body.code]).toEqual([400, 'registration_incomplete']);
  expect(body.current).toEqual({ errorList: [{ field, message }] });
  expect(await read()).toEqual(before);
});

test('a field that the registration did not require may stay empty; a filled field cannot be emptied', async () => {
  expect((await save({ name: 'Maple' })).status).toBe(200);
  await save(everything);
  const { body } = await save({ itContact: '', patientSize: '', agesTreated: [] });
  const { errorList } = body.current as { errorList: { field: string }[] };
  expect(errorList.map(({ field }) => field)).toEqual(['itContact', 'patientSize', 'agesTreated']);
});

test("a new time zone changes the queue's today, and no 304 hides it", async () => {
  t.at('2026-03-02T06:30:00.000Z'); // 1:30 AM on the 2nd in New York, 11:30 PM on the 1st in Denver
  await t.visit({ office: desk, firstName: 'Early' });
  const list = (headers = {}) => t.call(queue.listQueue, { query: {} }, { as: desk, headers });
  const before = await list();
  expect(before.body).toHaveLength(1);
  await save({ timeZone: 'America/Denver' });
  const after = await list({ 'if-none-match': String(before.headers.etag) });
  expect([after.status, (after.body as unknown[]).length]).toEqual([200, 0]);
});

test('two concurrent saves of office details are applied one after the other, without mixing', async () => {
  const both = await Promise.all([save({ ...everything, name: 'One' }), save({ ...everything, name: 'Two' })]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(['One', 'Two']).toContain((await read()).name);
});

test("office details are read and changed only in the caller's own office", async () => {
  const answer = await t.call(
    officeDetails.saveOfficeDetails,
    { body: everything },
    { as: t.other, headers: { 'x-office': desk.id } },
  );
  expect(answer.status).toBe(404);
  expect((await read()).name).toBe('Maple Street Pediatrics');
});

test('callers that send no phone keep the one that patients call, and an empty one removes it', async () => {
  await save({ ...everything, phone: '(303) 555-0191' });
  expect((await read()).phone).toBe('+13035550191');
  const { phone: _, ...older } = everything;
  await t.call(officeDetails.saveOfficeDetails, { body: { ...older, name: 'Maple West' } }, { as: desk });
  expect(await read()).toMatchObject({ name: 'Maple West', phone: '+13035550191' });
  await save({ ...everything, phone: ' ' });
  expect((await read()).phone).toBe('');
});
