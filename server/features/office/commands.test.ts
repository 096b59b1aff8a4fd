import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOfficeFront } from '#contract/patient/check-in.ts';
import { listAudit } from '#contract/audit.ts';
import { hasCheckDigit, readConfig, readQueueSettings } from '#contract/practice/office.ts';
import { checkDueApplications } from '#server/features/merchant/jobs.ts';
import { UsageError, runCommand } from '#server/kit/command.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { hostedLink } from '#testing/fixtures/merchant.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';
import { flagCommands } from './flag-commands.ts';
import { officeCommands } from './office-commands.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());

/** The output of a command. */
async function type(...typed: string[]): Promise<string> {
  const lines: string[] = [];
  const desk = {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say: (line: string) => void lines.push(line),
  };
  await runCommand([...officeCommands, ...flagCommands], typed, desk);
  return lines.join('\n');
}
const readEntries = async (of: TestOffice) =>
  (await testApp.call(listAudit, { query: {} }, { as: of })).body.entries
    .filter(({ action }) => action !== 'audit.read')
    .map(({ actor, action, details }) => ({ actor, action, details }));

const elm = ['--name', 'Elm Clinic', '--address', '1 Elm St', '--city', 'Troy', '--state', 'NY', '--zip', '12180'];
const rest = ['--time-zone', 'America/New_York', '--text-number', '(212) 555-0160', '--signed'];

test('office add adds an office with its people, who see it at once', async () => {
  expect(await type('office', 'add', '--npi', '1999999984', ...elm, ...rest)).toContain('/c/1999999984');
  await type('office', 'staff', '1999999984', 'Ana@Elm.test', '--name', 'Ana Ruiz');
  await type('office', 'staff', '1999999984', '212-555-0161', '--name', 'Dr. Stone');
  expect(await type('office', 'list')).toMatch(/1999999984 +Elm Clinic +Troy, NY +signed +2/);
  const shown = await type('office', 'show', '1999999984');
  expect(shown).toContain('Ana Ruiz, ana@elm.test');
  expect(shown).toContain('Dr. Stone, +12125550161');
  const { status } = await testApp.call(readOfficeFront, { params: { npi: '1999999984' } }, { as: null });
  expect(status).toBe(200);
});

test('office show shows the referral code that the practice entered', async () => {
  const { npi } = await testApp.office({ refCode: 'ELM-2026' });
  expect(await type('office', 'show', npi)).toMatch(/^referral code +ELM-2026$/m);
});

test("office set npi keeps the old NPI's printed QR codes working", async () => {
  const of = await testApp.office({ npi: '1000000012' });
  await type('office', 'set', '1000000012', 'npi=1111111112');
  for (const npi of ['1000000012', '1111111112']) {
    const { body } = await testApp.call(readOfficeFront, { params: { npi } }, { as: null });
    expect(body.office.npi).toBe('1111111112');
  }
  await type('office', 'set', '1111111112', 'npi=1000000012');
  expect(await type('office', 'show', '1000000012')).toMatch(/NPI +1000000012, before: 1111111112/);
  expect(await readEntries(of)).toContainEqual({
    actor: 'operator',
    action: 'office.change',
    details: { changed: 'npi' },
  });
});

test('office rent-number gives the office another number, and replies to it arrive', async () => {
  const of = await testApp.office();
  const said = await type('office', 'rent-number', of.npi);
  const number = /from (\+1\d{10}) now/.exec(said)?.[1] ?? '';
  expect(await type('office', 'show', of.npi)).toContain(number);
  expect(await patientTexts(testApp, '+16465550199', 'Hello', { office: of, to: number })).toBe(200);
  expect(await readEntries(of)).toContainEqual({
    actor: 'operator',
    action: 'office.change',
    details: { changed: 'textNumber' },
  });
});

test('office set changes columns, settings and queue settings together, or not at all', async () => {
  const of = await testApp.office();
  const visit = await testApp.visit({ office: of });
  await type(
    'office',
    'set',
    of.npi,
    'name=New Name',
    'settings.features.adminPanelType=sms',
    'settings.formTypes=["a"]',
    'queue.autoInviteEnabled=true',
  );
  const { body } = await testApp.call(readConfig, {}, { as: of });
  expect(body.settings).toMatchObject({
    features: { adminPanelType: 'sms' },
    formTypes: ['a'],
    autoInviteEnabled: true,
  });
  const waiting = await testApp.inOffice(of, (tx) =>
    tx.selectFrom('visit').select('autoInviteAt').where('id', '=', visit.id).executeTakeFirst(),
  );
  expect(waiting?.autoInviteAt).not.toBeNull();

  await expect(type('office', 'set', of.npi, 'name=Other', 'queue.lateMinutes.WAITING=0')).rejects.toThrow(UsageError);
  expect(await type('office', 'show', of.npi)).toContain('New Name');
  expect((await testApp.call(readQueueSettings, {}, { as: of })).body.lateMinutes.WAITING).toBe(15);
  await type('office', 'set', of.npi, 'settings.formTypes=');
  expect((await testApp.call(readConfig, {}, { as: of })).body.settings).not.toHaveProperty('formTypes');
});

test('flags set works for everybody, one office or one person; unset falls back to the next layer', async () => {
  const of = await testApp.office();
  const username = `staff-${of.npi}@maple.test`;
  const flag = async () => (await testApp.call(readConfig, {}, { as: of })).body.flags.testFlag;
  await type('flags', 'set', 'testFlag', 'on');
  expect(await flag()).toBe(true);
  await type('flags', 'set', 'testFlag', 'off', '--office', of.npi);
  expect(await flag()).toBe(false);
  await type('flags', 'set', 'testFlag', 'on', '--person', username);
  expect(await flag()).toBe(true);
  expect(await type('flags', 'list')).toMatch(new RegExp(`testFlag +on +${of.npi} off, Dana Whitlock on`));
  expect(await type('flags', 'list', '--person', username)).toMatch(/testFlag +on/);
  expect(await type('flags', 'list', '--office', of.npi)).toMatch(/testFlag +off/);
  await type('flags', 'set', 'testFlag', 'unset', '--person', username);
  expect(await flag()).toBe(false);
  await type('flags', 'set', 'testFlag', 'unset', '--office', of.npi);
  expect(await flag()).toBe(true);
  await type('flags', 'set', 'testFlag', 'unset');
  expect(await flag()).toBeUndefined();
  expect(await readEntries(of)).toHaveLength(6);
  expect(await readEntries(testApp.other)).toEqual([
    { actor: 'operator', action: 'flags.change', details: { flag: 'testFlag', value: null } },
    { actor: 'operator', action: 'flags.change', details: { flag: 'testFlag', value: true } },
  ]);
});

test('office staff --remove removes a person, who sees nothing of the office from then on', async () => {
  const of = await testApp.office();
  expect((await testApp.call(readQueueSettings, {}, { as: of })).status).toBe(200);
  await type('office', 'staff', of.npi, `staff-${of.npi}@maple.test`, '--remove');
  expect((await testApp.call(readQueueSettings, {}, { as: of })).status).toBe(403);
});

test('office staff --remove ends the links to the payment provider’s form with its next check', async () => {
  const [of, other] = [await testApp.office(), await testApp.office()];
  const links = [await hostedLink(testApp, of), await hostedLink(testApp, other)];
  const email = `luis-${of.npi}@maple.test`;
  await testApp.addStaff({ name: 'Luis Ortega', email }, [of]);
  await type('office', 'staff', of.npi, email, '--remove');
  await checkDueApplications(testApp.services);
  const pages = await Promise.all(links.map((url) => testApp.app.inject({ url })));
  expect(pages.map(({ statusCode }) => statusCode)).toEqual([303, 200]);
});

test('office view shows a person a colleague’s view, and ends it', async () => {
  const of = await testApp.office();
  const username = `staff-${of.npi}@maple.test`;
  await type('office', 'staff', of.npi, `dr-${of.npi}@maple.test`, '--name', 'Dr. View');
  await type('flags', 'set', 'viewFlag', 'on', '--person', `dr-${of.npi}@maple.test`);
  await type('office', 'view', of.npi, username, '--doctor', `dr-${of.npi}@maple.test`);
  expect(await type('flags', 'list', '--person', username)).toMatch(/viewFlag +on/);
  await type('office', 'view', of.npi, username);
  expect(await type('flags', 'list', '--person', username)).not.toMatch(/viewFlag/);
  await expect(
    type('office', 'view', of.npi, username, '--doctor', `staff-${testApp.other.npi}@maple.test`),
  ).rejects.toThrow(/does not belong/);
});

test.each([
  ['an unknown office', ['office', 'show', '1999999976'], /No office has the NPI/],
  ['no office', ['office', 'set'], /Which office/],
  ['a wrong check digit', ['office', 'add', '--npi', '1999999983', ...elm, ...rest], /no NPI/],
  [
    'a time zone of its own',
    ['office', 'add', '--npi', '1999999976', ...elm, '--time-zone', 'Mars/Base', '--text-number', '2125550160'],
    /no time zone/,
  ],
  ['a missing name', ['office', 'add', '--npi', '1999999976'], /--text-number is missing/],
  ['an unknown command', ['office', 'burn'], /There is: office list/],
  ['an unknown option', ['office', 'list', '--all'], /Usage: script\/anteroom office list/],
  ['a flag that is neither on nor off', ['flags', 'set', 'x1', 'maybe'], /on, off or unset/],
  ['a stranger', ['flags', 'set', 'x1', 'on', '--person', 'nobody@nowhere.test'], /Nobody signs in/],
])('a command with %s fails with a usage error', async (_what, typed, says) => {
  await expect(type(...typed)).rejects.toThrow(says);
  await expect(type(...typed)).rejects.toThrow(UsageError);
});

test("office add shares another office's NPI only with --shared", async () => {
  const of = await testApp.office({ npi: '1234567893' });
  const taken = ['office', 'add', '--npi', of.npi, ...elm, ...rest];
  await expect(type(...taken)).rejects.toThrow(/--shared/);
  expect(await type(...taken, '--shared')).toContain('Added');
});

test.each([
  ['1234567893', true],
  ['2000000010', true],
  ['1234567890', false],
  ['123456789', false],
  ['12345678931', false],
  ['abcdefghij', false],
])('hasCheckDigit of %s is %s', (npi, right) => {
  expect(hasCheckDigit(npi)).toBe(right);
});
