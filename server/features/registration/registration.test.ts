import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasCheckDigit } from '#contract/practice/office.ts';
import { readUser, readQueueSettings } from '#contract/practice/office.ts';
import * as registration from '#contract/practice/registration.ts';
import { fieldErrorTexts, type RegistrationInput } from '#contract/practice/registration.ts';
import { readSession } from '#contract/sign-in/session.ts';
import { readOfficeFront } from '#contract/patient.ts';
import { loadSample } from '#server/features/addresses/index.ts';
import { runCommand } from '#server/kit/command.ts';
import { checkInNumber } from '#server/office-row.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { registrationCommands } from './commands.ts';
import { mailClaims } from './npi-claim-emails.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
  const elm = {
    npi: '1003000126',
    name: 'ELM STREET PEDIATRICS LLC',
    otherName: null,
    addressLine1: '12 ELM ST',
    addressLine2: 'STE 4',
    city: 'TROY',
    state: 'NY',
    zip: '12180',
    phone: '2125550171',
  };
  await loadSample(testApp.url, () => [elm, { ...elm, npi: '1457354003', name: 'ASH WAY PEDIATRICS' }]);
});
afterAll(() => testApp.close());

let people = 0;
let me: { token: string; personId: string; email: string };
beforeEach(async () => {
  me = await newcomer();
  typed.addressLine1 = `${people} Oak Road`;
});

async function newcomer(): Promise<{ token: string; personId: string; email: string }> {
  const email = `newcomer-${++people}@elm.test`;
  const personId = await testApp.addStaff({ name: `Newcomer ${people}`, email }, []);
  return { token: await testApp.signIn(personId), personId, email };
}

let forms = 0;
const newForm = () => `form-${String(++forms).padStart(6, '0')}`;

const typed: RegistrationInput = {
  addressLine1: '1 Oak Road',
  city: 'Troy',
  state: 'NY',
  zip: '12180',
  name: 'Oak Clinic',
  email: 'Front@Oak.test',
  itContact: 'it@oak.test',
  emr: 'AthenaOne',
  patientSize: '501-1000',
  agesTreated: ['Children', 'Adults'],
};
const found: RegistrationInput = {
  ...typed,
  addressLine1: undefined,
  city: undefined,
  state: undefined,
  zip: undefined,
  addressId: '1003000126',
  name: 'Elm Street Pediatrics',
};

const elsewhere: RegistrationInput = { ...found, addressId: '1457354003', name: 'Ash Way Pediatrics' };

interface Options {
  as?: { token: string };
  formId?: string;
  language?: string;
}
const register = (body: RegistrationInput, { as = me, formId = newForm(), language = 'en' }: Options = {}) =>
  testApp.call(
    registration.registerPractice,
    { params: { formId }, body },
    { as, headers: { 'accept-language': language } },
  );

const session = async (as: { token: string } = me) => (await testApp.call(readSession, {}, { as })).body;
const officeRow = (id: string) =>
  testApp.inOffice({ id } as never, (tx) =>
    tx.selectFrom('office').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );

describe('registering an office', () => {
  test('a typed address makes an office with provisional number, text number, queue settings, member and audit entry', async () => {
    const formId = newForm();
    const { status, body } = await register({ ...typed, refCode: ' SPRING ', url: 'www.oak.test' }, { formId });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      formId,
      addressId: null,
      addressData: { addressLine1: typed.addressLine1, city: 'Troy', state: 'NY' },
      errorList: [],
      npiProvisional: true,
      timeZone: 'America/New_York',
    });
    expect(body.npi).toMatch(/^9\d{9}$/);
    expect(hasCheckDigit(body.npi)).toBe(true);
    const row = await officeRow(body.strapiId);
    expect(row).toMatchObject({
      npi: body.npi,
      npiProvisional: true,
      name: 'Oak Clinic',
      email: 'front@oak.test',
      itContact: 'it@oak.test',
      emr: 'AthenaOne',
      patientSize: '501-1000',
      agesTreated: ['Children', 'Adults'],
      refCode: 'SPRING',
      url: 'https://www.oak.test',
      zip: '12180',
      agreementSignedAt: null,
      onboardingType: 'regular',
    });
    expect(row.textNumber).toMatch(/^\+1\d{3}55501\d\d$/);
    expect(row.queueSettings).toMatchObject({ autoInviteEnabled: false, autoInviteWaitTime: 900 });
    expect(await testApp.auditEntries({ id: body.strapiId } as never)).toMatchObject([
      { action: 'office.register', actor: 'staff', actorId: me.personId },
    ]);
    expect(await session()).toMatchObject({
      office: { id: body.strapiId, officeName: 'Oak Clinic', hellosignComplete: false },
      gate: { because: 'agreement-missing' },
    });
    const refused = await testApp.call(readQueueSettings, {}, { as: me });
    expect([refused.status, refused.body.code]).toEqual([403, 'agreement_missing']);
  });

  test('a chosen address makes an office with the typed name and the file’s location and NPI', async () => {
    const { body } = await register(found);
    expect(body).toMatchObject({
      npi: '1003000126',
      npiProvisional: false,
      addressId: '1003000126',
      addressData: { addressLine1: '12 Elm St, Ste 4', city: 'Troy', state: 'NY' },
    });
    expect(await officeRow(body.strapiId)).toMatchObject({ zip: '12180', name: 'Elm Street Pediatrics' });
  });

  test('a typed NPI, time zone or provisional number is used', async () => {
    const own = await register({ ...typed, npi: '1679 576 722', timeZone: 'America/Chicago' });
    expect(own.body).toMatchObject({ npi: '1679576722', npiProvisional: false, timeZone: 'America/Chicago' });
    const other = await register({ ...typed, name: 'Other', addressLine1: '2 Beech Road', npi: '9123456789' });
    expect(other.body).toMatchObject({ npi: '9123456789', npiProvisional: true });
    const again = await register({ ...typed, name: 'Third', addressLine1: '3 Beech Road', npi: '9123456789' });
    expect(again.body.current).toEqual({ errorList: [{ field: 'npi', message: fieldErrorTexts.npi.en }] });
  });

  test('the partner’s form requires fewer fields', async () => {
    const { addressLine1, city, state, zip, name, email, emr } = typed;
    const { body } = await register({ addressLine1, city, state, zip, name, email, emr, isChadisOnboarding: true });
    expect(await officeRow(body.strapiId)).toMatchObject({
      onboardingType: 'chadis',
      itContact: null,
      agesTreated: [],
    });
  });

  test('a second location of the same person gets its own rows, and the first stays the default', async () => {
    const first = await register(typed);
    const second = await register({ ...typed, addressLine1: '99 Hill Road', name: 'Oak Clinic, Hill' });
    expect(second.body.strapiId).not.toBe(first.body.strapiId);
    const { offices, office } = await session();
    expect(offices.map(({ id }) => id)).toEqual([first.body.strapiId, second.body.strapiId]);
    expect(office?.id).toBe(first.body.strapiId);
    const [one, two] = await Promise.all([first, second].map(({ body }) => officeRow(body.strapiId)));
    expect(one?.textNumber).not.toBe(two?.textNumber);
  });
});

describe('errors at each field, in the caller’s language', () => {
  test.each<[string, RegistrationInput, string, string]>([
    [
      'no address',
      { ...typed, addressLine1: '', city: '', state: '', zip: '' },
      'address',
      'Please select your practice address',
    ],
    [
      'an address nobody knows',
      { ...found, addressId: '1999999999' },
      'address',
      'Please select your practice address',
    ],
    ['no street', { ...typed, addressLine1: ' ' }, 'addressLine1', "Please enter your practice's address"],
    ['no city', { ...typed, city: '' }, 'city', "Please enter your practice's city"],
    ['no state', { ...typed, state: '' }, 'state', "Please select your practice's state"],
    ['an unknown state', { ...typed, state: 'XX' }, 'state', "Please select your practice's state"],
    ['no ZIP code', { ...typed, zip: '' }, 'zip', "Please enter your practice's ZIP code"],
    ['half a ZIP code', { ...typed, zip: '1218' }, 'zip', "Please enter your practice's ZIP code"],
    ['no name', { ...typed, name: '' }, 'name', 'Please enter the name of your practice'],
    ['no email', { ...typed, email: undefined }, 'email', 'Please enter your email address'],
    ['an email of five letters', { ...typed, email: 'a@b.c' }, 'email', 'Please enter your email address'],
    ['an email without a dot', { ...typed, email: 'front@oak' }, 'email', 'Please enter your email address'],
    ['no IT contact', { ...typed, itContact: '' }, 'itContact', "Please enter your IT company's contact info"],
    ['no size', { ...typed, patientSize: '' }, 'patientSize', 'Please select the number of patients your practice has'],
    ['no ages', { ...typed, agesTreated: [] }, 'agesTreated', 'Please select the ages your practice treats'],
    [
      'an unknown age group',
      { ...typed, agesTreated: ['Ghosts'] },
      'agesTreated',
      'Please select the ages your practice treats',
    ],
    ['no software', { ...typed, emr: '' }, 'emr', 'Please select the management software your practice uses'],
    ['an NPI with a wrong check digit', { ...typed, npi: '1679576721' }, 'npi', fieldErrorTexts.npi.en],
    ['an unknown time zone', { ...typed, timeZone: 'Mars/Base' }, 'timeZone', fieldErrorTexts.timeZone.en],
    ['a website that is a script', { ...typed, url: 'javascript:alert(1)' }, 'url', fieldErrorTexts.url.en],
  ])('%s', async (_what, body, field, message) => {
    const { status, body: answer } = await register(body);
    expect([status, answer.code]).toEqual([400, 'registration_incomplete']);
    expect(answer.current).toEqual({ errorList: [{ field, message }] });
    expect((await session()).offices).toEqual([]);
  });

  test('an empty form reports every required field, in Spanish too', async () => {
    const { body } = await register({}, { language: 'es' });
    expect((body.current as { errorList: unknown[] }).errorList).toEqual(
      (['address', 'name', 'email', 'itContact', 'emr', 'patientSize', 'agesTreated'] as const).map((field) => ({
        field,
        message: fieldErrorTexts[field].es,
      })),
    );
  });
});

describe('repeated submits', () => {
  test('20 parallel submits of one form make one office and get the same answer', async () => {
    const beside = await openTestApp({ beside: testApp });
    const formId = newForm();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? testApp : beside).call(registration.registerPractice, { params: { formId }, body: typed }, { as: me }),
      ),
    );
    await beside.close();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.strapiId)).size).toBe(1);
    expect((await session()).offices).toHaveLength(1);
    expect(await testApp.auditEntries({ id: answers[0]?.body.strapiId } as never)).toHaveLength(1);
  });

  test('50 parallel submits of two forms, more than there are connections, make one office', async () => {
    const two = [newForm(), newForm()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => register(elsewhere, { formId: two[i % 2] as string })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body: { strapiId } }) => strapiId)).size).toBe(1);
    expect((await session()).offices).toHaveLength(1);
  });

  test('of 10 strangers who register one NPI in parallel one gets it, and the others are refused', async () => {
    const strangers = await Promise.all(Array.from({ length: 10 }, newcomer));
    const answers = await Promise.all(strangers.map((as) => register({ ...typed, npi: '1558444216' }, { as })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test('the card provider’s customer is created once, and only for the caller’s own office', async () => {
    const formId = newForm();
    const { strapiId, addressId } = (await register(typed, { formId })).body;
    const make = (as: { token: string }) =>
      testApp.call(
        registration.registerCustomer,
        { params: { formId }, body: { formId, strapiId, addressId, errorList: [] } },
        { as },
      );
    const answers = await Promise.all([1, 2, 3].map(() => make(me)));
    expect(new Set(answers.map(({ body }) => body.customerId)).size).toBe(1);
    expect(await officeRow(strapiId)).toMatchObject({ stripeCustomerId: answers[0]?.body.customerId });
    expect((await make(await newcomer())).status).toBe(404);
    expect((await make(testApp.other)).status).toBe(404);
  });
});

describe('a claimed NPI', () => {
  test('a claimed NPI refuses a stranger, emails the operator once, and emails the office’s staff on request', async () => {
    const owner = me;
    const { strapiId } = (await register({ ...typed, npi: '1467560003', email: 'desk@oak.test' })).body;
    const stranger = await newcomer();
    for (let i = 0; i < 2; i++) {
      const { status, body } = await register(
        { ...typed, addressLine1: '7 Far Away', npi: '1467560003' },
        { as: stranger },
      );
      expect([status, body.code, body.current]).toEqual([409, 'npi_claimed', { npi: '1467560003' }]);
    }
    expect((await session(stranger)).offices).toEqual([]);
    await mailDue();
    const toOperator = async () =>
      (await mailsTo('operator@anteroom.test')).filter((body) => body.includes(stranger.email));
    expect(await toOperator()).toHaveLength(1);
    expect(await mailsTo(owner.email)).toEqual([]);

    const ask = (as: { token: string }) =>
      testApp.call(registration.askToJoin, { body: { npi: '1467560003' } }, { as });
    for (let i = 0; i < 2; i++) expect((await ask(stranger)).body).toEqual({ asked: true });
    await mailDue();
    await mailDue();
    for (const to of [owner.email, 'desk@oak.test']) {
      const mails = await mailsTo(to);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain(`${stranger.email} asks to join Oak Clinic`);
    }
    expect(await toOperator()).toHaveLength(1);
    const lines: string[] = [];
    const operator = {
      services: testApp.services,
      owner: testApp.owner,
      ownerUrl: testApp.url,
      say: (line: string) => void lines.push(line),
    };
    await runCommand(registrationCommands, ['npi-claims'], operator);
    expect(lines.filter((line) => line.includes('1467560003'))).toEqual([
      expect.stringMatching(new RegExp(`1467560003 +${stranger.email} +mailed +asked`)),
    ]);
    expect((await ask(owner)).body).toEqual({ asked: false });
    expect((await session(stranger)).offices).toEqual([]);
    expect(await officeRow(strapiId)).toMatchObject({ name: 'Oak Clinic' });
  });

  test('members may reuse their office’s NPI for another location', async () => {
    const first = await register({ ...typed, npi: '1740283779' });
    const second = await register({ ...typed, addressLine1: '8 Second Street', npi: '1740283779' });
    expect(second.status).toBe(200);
    expect(second.body.strapiId).not.toBe(first.body.strapiId);
    for (const { strapiId } of [first.body, second.body]) {
      const signed = { agreementSignedAt: testApp.now() };
      await testApp.inOffice({ id: strapiId } as never, (tx) =>
        tx.updateTable('office').set(signed).where('id', '=', strapiId).execute(),
      );
    }
    const front = async ({ strapiId }: { strapiId: string }) => {
      const npi = checkInNumber(await officeRow(strapiId));
      return { npi, office: (await testApp.call(readOfficeFront, { params: { npi } }, { as: null })).body.office };
    };
    expect((await front(first.body)).npi).toBe('1740283779');
    const other = await front(second.body);
    expect(other.npi).toMatch(/^9/);
    expect(other.office).toMatchObject({ address: expect.stringContaining('8 Second Street') as string });
  });

  test('a request to join an unknown NPI is a 404, and requests are rate-limited', async () => {
    expect((await testApp.call(registration.askToJoin, { body: { npi: '1999999992' } }, { as: me })).status).toBe(404);
    const asks = [];
    for (let i = 0; i < 6; i++)
      asks.push((await testApp.call(registration.askToJoin, { body: { npi: testApp.other.npi } }, { as: me })).status);
    expect(asks).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a temporarily refused email is retried, and a permanently refused one is not', async () => {
    testApp.later(60 * 24);
    const office = await testApp.office({ email: 'grey@oak.test' });
    await testApp.owner
      .updateTable('auth.identity')
      .set({ value: `bounce@${office.npi}.test` })
      .where('personId', '=', office.personId)
      .execute();
    await testApp.call(registration.askToJoin, { body: { npi: office.npi } }, { as: me });
    const state = () =>
      testApp.owner.selectFrom('auth.npiClaim').selectAll().where('officeId', '=', office.id).executeTakeFirstOrThrow();
    await mailDue();
    expect(await state()).toMatchObject({ officeMailedAt: null, tries: 1 });
    expect((await state()).operatorMailedAt).not.toBeNull();
    await mailDue();
    expect(await state()).toMatchObject({ tries: 1 });
    testApp.later(3);
    await testApp.inOffice(office, (tx) =>
      tx.updateTable('office').set({ email: 'there@oak.test' }).where('id', '=', office.id).execute(),
    );
    await mailDue();
    expect((await state()).officeMailedAt).not.toBeNull();
    expect(await mailsTo('there@oak.test')).toHaveLength(1);
  });
});

/** The job, until nothing is due. */
async function mailDue(): Promise<void> {
  while (await mailClaims(testApp.services));
}

async function mailsTo(to: string): Promise<string[]> {
  const rows = await testApp.owner
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', to)
    .where('channel', '=', 'email')
    .execute();
  return rows.map(({ body }) => body);
}

describe('a registration draft', () => {
  const save = (formId: string, body: registration.Draft, as: { token: string } = me) =>
    testApp.call(registration.saveDraft, { params: { formId }, body }, { as });
  const open = async (as: { token: string } = me) => (await testApp.call(registration.readDraft, {}, { as })).body;

  test('a draft continues on another device, and only for its own person', async () => {
    expect(await open()).toBeNull();
    const formId = newForm();
    await save(formId, { name: 'Oak' });
    await save(formId, { name: 'Oak Cli', isNewAddress: true, agesTreated: ['Children'], wantsProvisional: false });
    const elsewhere = { token: await testApp.signIn(me.personId) };
    expect(await open(elsewhere)).toMatchObject({
      formId,
      draft: { name: 'Oak Cli', isNewAddress: true, agesTreated: ['Children'], wantsProvisional: false },
    });
    const stranger = await newcomer();
    await save(formId, { name: 'Theirs' }, stranger);
    expect((await open(elsewhere))?.draft.name).toBe('Oak Cli');
    expect((await open(stranger))?.draft.name).toBe('Theirs');
  });

  test('a draft ends when its office is created; a late save from another device does not bring it back', async () => {
    const formId = newForm();
    await save(formId, typed);
    await register(typed, { formId });
    expect(await open()).toBeNull();
    await save(formId, { name: 'Late' });
    expect(await open()).toBeNull();
  });

  test('a refused form keeps its draft', async () => {
    const formId = newForm();
    const draft = { ...typed, zip: '' };
    await save(formId, draft);
    expect((await register(draft, { formId })).status).toBe(400);
    expect((await open())?.draft).toEqual(draft);
  });

  test('of several drafts the newest is shown, and only the newest few stay saved', async () => {
    for (let i = 0; i < 8; i++) {
      testApp.later(1);
      await save(newForm(), { name: `Form ${i}` });
    }
    expect((await open())?.draft.name).toBe('Form 7');
    const kept = await testApp.owner
      .selectFrom('auth.registration')
      .select('formId')
      .where('personId', '=', me.personId)
      .execute();
    expect(kept).toHaveLength(5);
  });
});

test('a new practice asks for Insurance Card, Photo ID, Health History and Consent', async () => {
  const { strapiId } = (await register({ ...typed, npi: '1245319599' })).body;
  const { settings } = await testApp.owner
    .selectFrom('office')
    .select('settings')
    .where('id', '=', strapiId)
    .executeTakeFirstOrThrow();
  const { features } = settings as {
    features: { globalFormsEnabled: { forms: { type: string; enabled: boolean }[] } };
  };
  const asked = features.globalFormsEnabled.forms.filter(({ enabled }) => enabled);
  expect(asked.map(({ type }) => type)).toEqual(['insurance-card', 'photo-id', 'health-history', 'consent']);
});

describe('users of the second backend', () => {
  test('a user is created once, becomes a doctor of their own office only, and is found by their own email only', async () => {
    const { npi } = (await register({ ...typed, npi: '1215935358' })).body;
    const create = () =>
      testApp.call(
        registration.createUser,
        { body: { name: ' Ana  Ruiz ', relatedNpi: npi, userType: 'patient', dependents: [{ name: 'Leo' }] } },
        { as: me },
      );
    const [one, two] = [await create(), await create()];
    expect(one.body).toEqual(two.body);
    expect(one.body).toMatchObject({
      username: me.email,
      name: 'Ana Ruiz',
      relatedNpi: npi,
      dependents: [{ name: 'Leo' }],
    });
    const doctorOf = {
      address: '1 Elm St',
      city: 'Troy',
      state: 'NY',
      name: 'Elm',
      onboardingType: 'regular',
    } as const;
    const convert = (given: string, as: { token: string } = me) =>
      testApp.call(
        registration.convertToDoctor,
        { body: { npi: given, ...doctorOf, covidEnabled: true, visible: false } },
        { as },
      );
    expect((await convert(npi)).body).toMatchObject({ userType: 'doctor', settings: { visible: false } });
    expect((await convert(npi)).body).toMatchObject({ userType: 'doctor', settings: { visible: false } });
    expect((await convert(testApp.other.npi)).status).toBe(404);
    const kept = await testApp.owner
      .selectFrom('auth.person')
      .select('settings')
      .where('id', '=', me.personId)
      .executeTakeFirstOrThrow();
    expect(kept.settings).toMatchObject({ doctorOf: { npi, ...doctorOf }, covidEnabled: true, visible: false });
    const foreign = await testApp.call(
      registration.createUser,
      { body: { relatedNpi: testApp.other.npi } },
      { as: me },
    );
    expect(foreign.status).toBe(404);
    const byEmail = (email: string) => testApp.call(registration.readUserByEmail, { params: { email } }, { as: me });
    expect((await byEmail(me.email.toUpperCase())).body).toMatchObject({ name: 'Ana Ruiz', relatedNpi: npi });
    expect((await byEmail(`staff-${testApp.other.npi}@maple.test`)).status).toBe(404);
    expect((await byEmail('nobody@nowhere.test')).status).toBe(404);
    expect((await testApp.call(readUser, { params: { username: me.email } }, { as: me })).body).toMatchObject({
      name: 'Ana Ruiz',
    });
    expect(
      (await testApp.call(registration.readUserByEmail, { params: { email: me.email } }, { as: null })).status,
    ).toBe(401);
  });
});
