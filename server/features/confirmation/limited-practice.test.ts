import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formsSettings, officeDetails, patientCheckIn, queue, registration } from '#contract/index.ts';
import { askForForm } from '#contract/forms/desk.ts';
import { loadBuiltInForms } from '#server/features/forms/index.ts';
import { arrivalAnswers, arrivalForm, formSetting, requestForms, openVisitPhone } from '#testing/fixtures/forms.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import type { TestApp, TestOffice } from '#testing/app/test-app.ts';
import { limitedPractice, runConfirmationCommand } from '#testing/fixtures/limited-practices.ts';

const { testApp: t } = await openIdleTestApp({ OPERATOR_EMAIL: 'operator@anteroom.test' });
let beside: TestApp;

beforeAll(async () => {
  const { openTestApp } = await import('#testing/app/test-app.ts');
  beside = await openTestApp({ beside: t });
});
afterAll(() => beside.close());

const limited = (given?: Parameters<TestApp['office']>[0]) => limitedPractice(t, given);
const run = (name: string, ...operands: string[]) => runConfirmationCommand(t, name, ...operands);

test('a limited practice loads and previews its own forms, and cannot ask patients for them', async () => {
  const office = await limited({ name: 'Cypress Clinic' });
  const as = { as: office };
  const text = JSON.stringify(arrivalForm);
  const { body: loaded } = await t.call(formsSettings.loadForm, { body: { text } }, as);
  expect(loaded.form).toMatchObject({ formType: 'arrival', own: true });
  const shown = { params: { definitionId: loaded.form?.id ?? '' } };
  expect((await t.call(formsSettings.readForm, shown, as)).status).toBe(200);
  const save = (enabled: boolean, type = 'arrival') =>
    t.call(formsSettings.saveFormSettings, { body: { forms: [{ ...formSetting(type), enabled }] } }, as);
  expect((await save(true)).body.code).toBe('limited_questionnaires');
  expect((await save(false)).status).toBe(200);

  await run('office confirm', office.npi);
  expect((await save(true)).status).toBe(200);
});

test('a limited practice cannot replace a form that patients are asked for with its own', async () => {
  const office = await t.office({ name: 'Larch Clinic' });
  await requestForms(t, office, [arrivalForm]);
  const back = 'update office set confirmed_at = null, confirmed_by = null where id = $1';
  await t.owner.executeQuery(CompiledQuery.raw(back, [office.id]));
  const text = JSON.stringify({ ...arrivalForm, title: 'Give us your card number' });
  const replaced = await t.call(formsSettings.loadForm, { body: { text, formType: 'arrival' } }, { as: office });
  expect(replaced.body.code).toBe('limited_questionnaires');
});

test('a practice that is limited again neither asks for its own forms nor takes them, and keeps a begun draft', async () => {
  await loadBuiltInForms(t.services);
  const office = await t.office({ name: 'Hazel Clinic' });
  const as = { as: office };
  const ids = await requestForms(t, office, [arrivalForm, { ...arrivalForm, id: 'sleep' }]);
  const on = [formSetting('arrival'), formSetting('sleep'), formSetting('photo-id')];
  expect((await t.call(formsSettings.saveFormSettings, { body: { forms: on } }, as)).status).toBe(200);
  const { token, id } = await t.visit({ office });
  const phone = openVisitPhone(t, token);
  const memberId = await phone.first();
  const definitionId = ids['arrival'] ?? '';
  expect((await phone.save(memberId, { definitionId })).status).toBe(200);
  const typesOnPhone = async () => (await phone.list()).body.members[0]?.forms.map(({ formType }) => formType);
  const typesOnCard = async () => {
    const [card] = (await t.call(queue.listQueue, { query: {} }, as)).body;
    return card?.forms.map(({ indicator }) => indicator);
  };
  expect(await typesOnPhone()).toEqual(['arrival', 'sleep', 'photo-id']);
  expect(await typesOnCard()).toEqual(['arrival', 'sleep', 'photo-id']);

  await run('office limit', office.npi);
  expect(await typesOnPhone()).toEqual(['photo-id']);
  expect(await typesOnCard()).toEqual(['photo-id']);
  const askForOne = (formType: string) => t.call(askForForm, { params: { visitId: id }, body: { formType } }, as);
  expect((await askForOne('arrival')).body).toMatchObject({ code: 'form_not_found' });
  for (const type of ['arrival', 'sleep']) expect((await phone.read(memberId, type)).status).toBe(404);
  expect((await phone.save(memberId, { definitionId, version: 1 })).status).toBe(404);
  expect((await phone.save(memberId, { definitionId: ids['sleep'] }, 'sleep')).status).toBe(404);
  expect((await phone.submit(memberId, 1)).status).toBe(404);
  // Other settings can be saved meanwhile.
  const moved = [formSetting('photo-id'), formSetting('arrival'), formSetting('sleep')];
  expect((await t.call(formsSettings.saveFormSettings, { body: { forms: moved } }, as)).status).toBe(200);

  await run('office confirm', office.npi);
  expect(await typesOnCard()).toEqual(['photo-id', 'arrival', 'sleep']);
  expect((await phone.read(memberId)).body).toMatchObject({ state: 'draft', version: 1, answers: arrivalAnswers });
  expect((await phone.submit(memberId, 1)).status).toBe(200);
  await run('office limit', office.npi);
  // What was submitted before stays readable, and is not amended.
  expect((await phone.read(memberId)).body).toMatchObject({ state: 'submitted' });
  expect((await phone.save(memberId, { definitionId, amend: true })).status).toBe(404);
});

test('asking for a form while loading an own form of that name does not bypass the limit', async () => {
  await loadBuiltInForms(t.services);
  for (let round = 0; round < 8; round++) {
    const office = await limited({ name: `Spruce Clinic ${round}` });
    const as = { as: office };
    const type = 'health-history';
    const answers = await Promise.all([
      t.call(formsSettings.saveFormSettings, { body: { forms: [formSetting(type)] } }, as),
      t.call(formsSettings.loadForm, { body: { text: JSON.stringify(arrivalForm), formType: type } }, as),
    ]);
    const [refused, ...more] = answers.filter(({ status }) => status !== 200);
    expect(more).toEqual([]);
    expect(refused?.body).toMatchObject({ code: 'limited_questionnaires' });
  }
});

test('the check-in page of a limited practice works and says that it is not confirmed', async () => {
  const office = await limited();
  const front = (of: TestOffice) => t.call(patientCheckIn.readOfficeFront, { params: { npi: of.npi } }, { as: null });
  expect((await front(office)).body.office).toMatchObject({ confirmed: false });
  expect((await front(t.maple)).body.office).toMatchObject({ confirmed: true });
});

test.each([
  ['the name of another practice at the same address', 'MAPLE  street-pediatrics', '48 Maple Street'],
  ['a name that only looks like it', 'Mаple Street Pediatr1cs', '48 MAPLE STREET.'],
  ['the name of the product', 'Ante-room', '5 Elm Street'],
  ['a name with a web address', 'Prizes at win.xyz', '5 Elm Street'],
])('renaming a practice to %s is refused', async (_what, name, addressLine1) => {
  const office = await t.office({ name: 'Tulip Clinic', addressLine1: '1 Tulip Way' });
  const { body: before } = await t.call(officeDetails.readOfficeDetails, {}, { as: office });
  const { npi: _, npiProvisional: __, ...details } = before;
  const renamed = { ...details, name, addressLine1, emr: 'Epic', email: 'tulip@tulip.test' };
  const { status, body } = await t.call(officeDetails.saveOfficeDetails, { body: renamed }, { as: office });
  expect([status, body.code]).toEqual([400, 'registration_incomplete']);
  expect(JSON.stringify(body.current)).toContain('"field":"name"');
  const { body: after } = await t.call(officeDetails.readOfficeDetails, {}, { as: office });
  expect(after.name).toBe('Tulip Clinic');
});

test('ten people register the same name at the same address concurrently: exactly one gets it', async () => {
  const input = {
    addressLine1: '77 Race Street',
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    email: 'desk@race.test',
    itContact: 'Ann',
    emr: 'Epic',
    patientSize: '1-500',
    agesTreated: ['Children'],
  };
  const people = await Promise.all(
    Array.from({ length: 10 }, (_, n) => t.addStaff({ name: `Racer ${n}`, email: `racer-${n}@race.test` }, [])),
  );
  const replies = await Promise.all(
    people.map(async (personId, n) =>
      (n % 2 ? t : beside).call(
        registration.registerPractice,
        { params: { formId: t.services.id() }, body: { ...input, name: n % 2 ? 'Race Clinic' : 'RACE CLINIC' } },
        { as: { token: await t.signIn(personId) } },
      ),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
});
