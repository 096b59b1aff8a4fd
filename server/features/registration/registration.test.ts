import { describe, expect, test } from 'vitest';
import { hasCheckDigit, readQueueSettings } from '#contract/practice/office.ts';
import * as registration from '#contract/practice/registration.ts';
import { fieldErrorTexts, type RegistrationInput } from '#contract/practice/registration.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import {
  elsewhere,
  addressRegistration,
  me,
  newcomer,
  newForm,
  officeRow,
  openRegistrationApp,
  register,
  session,
  testApp,
  typedRegistration,
} from '#testing/fixtures/registration.ts';

openRegistrationApp();

describe('registering an office', () => {
  test('a typed address makes an office with provisional number, text number, queue settings, member and audit entry', async () => {
    const formId = newForm();
    const { status, body } = await register(
      { ...typedRegistration, refCode: ' SPRING ', url: 'www.oak.test' },
      { formId },
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      formId,
      addressId: null,
      addressData: { addressLine1: typedRegistration.addressLine1, city: 'Troy', state: 'NY' },
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
    const { body } = await register(addressRegistration);
    expect(body).toMatchObject({
      npi: '1003000126',
      npiProvisional: false,
      addressId: '1003000126',
      addressData: { addressLine1: '12 Elm St, Ste 4', city: 'Troy', state: 'NY' },
    });
    expect(await officeRow(body.strapiId)).toMatchObject({ zip: '12180', name: 'Elm Street Pediatrics' });
  });

  test('a typed NPI, time zone or provisional number is used', async () => {
    const own = await register({ ...typedRegistration, npi: '1679 576 722', timeZone: 'America/Chicago' });
    expect(own.body).toMatchObject({ npi: '1679576722', npiProvisional: false, timeZone: 'America/Chicago' });
    const other = await register({
      ...typedRegistration,
      name: 'Other',
      addressLine1: '2 Beech Road',
      npi: '9123456789',
    });
    expect(other.body).toMatchObject({ npi: '9123456789', npiProvisional: true });
    const again = await register({
      ...typedRegistration,
      name: 'Third',
      addressLine1: '3 Beech Road',
      npi: '9123456789',
    });
    expect(again.body.current).toEqual({ errorList: [{ field: 'npi', message: fieldErrorTexts.npi.en }] });
  });

  test('the partner’s form requires fewer fields', async () => {
    const { addressLine1, city, state, zip, name, email, emr } = typedRegistration;
    const { body } = await register({ addressLine1, city, state, zip, name, email, emr, isChadisOnboarding: true });
    expect(await officeRow(body.strapiId)).toMatchObject({
      onboardingType: 'chadis',
      itContact: null,
      agesTreated: [],
    });
  });

  test('a second location of the same person gets its own rows, and the first stays the default', async () => {
    const first = await register(typedRegistration);
    const second = await register({ ...typedRegistration, addressLine1: '99 Hill Road', name: 'Oak Clinic, Hill' });
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
      { ...typedRegistration, addressLine1: '', city: '', state: '', zip: '' },
      'address',
      'Please select your practice address',
    ],
    [
      'an address nobody knows',
      { ...addressRegistration, addressId: '1999999999' },
      'address',
      'Please select your practice address',
    ],
    ['no street', { ...typedRegistration, addressLine1: ' ' }, 'addressLine1', "Please enter your practice's address"],
    ['no city', { ...typedRegistration, city: '' }, 'city', "Please enter your practice's city"],
    ['no state', { ...typedRegistration, state: '' }, 'state', "Please select your practice's state"],
    ['an unknown state', { ...typedRegistration, state: 'XX' }, 'state', "Please select your practice's state"],
    ['no ZIP code', { ...typedRegistration, zip: '' }, 'zip', "Please enter your practice's ZIP code"],
    ['half a ZIP code', { ...typedRegistration, zip: '1218' }, 'zip', "Please enter your practice's ZIP code"],
    ['no name', { ...typedRegistration, name: '' }, 'name', 'Please enter the name of your practice'],
    ['no email', { ...typedRegistration, email: undefined }, 'email', 'Please enter your email address'],
    ['an email of five letters', { ...typedRegistration, email: 'a@b.c' }, 'email', 'Please enter your email address'],
    [
      'an email without a dot',
      { ...typedRegistration, email: 'front@oak' },
      'email',
      'Please enter your email address',
    ],
    [
      'no IT contact',
      { ...typedRegistration, itContact: '' },
      'itContact',
      "Please enter your IT company's contact info",
    ],
    [
      'no size',
      { ...typedRegistration, patientSize: '' },
      'patientSize',
      'Please select the number of patients your practice has',
    ],
    [
      'no ages',
      { ...typedRegistration, agesTreated: [] },
      'agesTreated',
      'Please select the ages your practice treats',
    ],
    [
      'an unknown age group',
      { ...typedRegistration, agesTreated: ['Ghosts'] },
      'agesTreated',
      'Please select the ages your practice treats',
    ],
    [
      'no software',
      { ...typedRegistration, emr: '' },
      'emr',
      'Please select the management software your practice uses',
    ],
    ['an NPI with a wrong check digit', { ...typedRegistration, npi: '1679576721' }, 'npi', fieldErrorTexts.npi.en],
    ['an unknown time zone', { ...typedRegistration, timeZone: 'Mars/Base' }, 'timeZone', fieldErrorTexts.timeZone.en],
    ['a website that is a script', { ...typedRegistration, url: 'javascript:alert(1)' }, 'url', fieldErrorTexts.url.en],
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
        (i % 2 ? testApp : beside).call(
          registration.registerPractice,
          { params: { formId }, body: typedRegistration },
          { as: me },
        ),
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

  test('when 10 strangers register one NPI in parallel, one gets it and the others are refused', async () => {
    const strangers = await Promise.all(Array.from({ length: 10 }, newcomer));
    const answers = await Promise.all(
      strangers.map((as) => register({ ...typedRegistration, npi: '1558444216' }, { as })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test('the card provider’s customer is created once, and only for the caller’s own office', async () => {
    const formId = newForm();
    const { strapiId, addressId } = (await register(typedRegistration, { formId })).body;
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

test('a new practice asks for Insurance Card, Photo ID, Health History and Consent', async () => {
  const { strapiId } = (await register({ ...typedRegistration, npi: '1245319599' })).body;
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
