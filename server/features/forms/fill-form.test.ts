import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsSettings, queue } from '#contract/index.ts';
import {
  arrivalAnswers,
  arrivalForm,
  requestForms,
  formSetting,
  openVisitPhone,
  submittedForm,
} from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;
let definitionId: string;

beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  definitionId = (await requestForms(testApp, office))['arrival'] ?? '';
});

const family = { household: [{ firstName: 'Tom', lastName: 'Byron', birthDate: '2019-05-06' }] };
const list = async () => (await testApp.call(queue.listQueue, { query: {} }, { as: office })).body;
const rows = () =>
  testApp.inOffice(office, (tx) => tx.selectFrom('formSubmission').selectAll().orderBy('startedAt').execute());

test('each family member needs each form the office requests', async () => {
  const { token } = await testApp.visit({ office, ...family });
  const { body } = await openVisitPhone(testApp, token).list();
  expect(body.members.map(({ name }) => name)).toEqual(['Ada Byron', 'Tom Byron']);
  expect(body.members.map((member) => member.forms)).toEqual(
    Array(2).fill([
      expect.objectContaining({ formType: 'arrival', formName: 'Arrival form', state: 'missing', version: 0 }),
    ]),
  );
});

test('a form is not requested if it is switched off, of another day or of the ambulatory mode', async () => {
  const off = [formSetting('arrival', { enabled: false })];
  await testApp.call(formsSettings.saveFormSettings, { body: { forms: off } }, { as: office });
  const { token } = await testApp.visit({ office });
  expect((await openVisitPhone(testApp, token).list()).body.members[0]?.forms).toEqual([]);
  const later = [formSetting('arrival', { day: 1 })];
  await testApp.call(formsSettings.saveFormSettings, { body: { forms: later } }, { as: office });
  expect((await openVisitPhone(testApp, token).list()).body.members[0]?.forms).toEqual([]);
});

test('a form is read in the visit’s language, with its questionnaire', async () => {
  const { token } = await testApp.visit({ office, language: 'es' });
  const phone = openVisitPhone(testApp, token);
  const { body } = await phone.read(await phone.first());
  expect(body).toMatchObject({ formName: 'Formulario de llegada', definitionId, answers: null, state: 'missing' });
  expect(body.questionnaire).toMatchObject({ id: 'arrival', item: arrivalForm.item });
});

test('a form says what is known about the patient; the phone number only to a proved link', async () => {
  const visit = await testApp.visit({ office, phone: '+12125550143' });
  const unproved = openVisitPhone(testApp, visit.token);
  const memberId = await unproved.first();
  const { known } = (await unproved.read(memberId)).body;
  expect(known).toEqual({ name: 'Ada Byron', filledBy: 'Ada Byron', birthDate: '1990-12-10', phone: null });
  const proved = openVisitPhone(testApp, await testApp.provedToken(visit.id, office));
  expect((await proved.read(memberId)).body.known).toEqual({ ...known, phone: '+12125550143' });
});

test('each step is saved, and another phone continues where the first one stopped', async () => {
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const first = await phone.save(memberId, { definitionId, page: 1, answers: { reason: ['Cough'] } });
  expect(first.body).toMatchObject({ version: 1, page: 1 });
  await phone.save(memberId, { definitionId, version: 1, page: 2, answers: { reason: ['Cough'], allergy: [true] } });
  const { body } = await openVisitPhone(testApp, token).read(memberId);
  expect(body).toMatchObject({ version: 2, page: 2, state: 'draft', answers: { reason: ['Cough'], allergy: [true] } });
});

test('saving the same step twice is one step', async () => {
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const twice = [await phone.save(memberId, { definitionId }), await phone.save(memberId, { definitionId })];
  expect(twice.map(({ status, body }) => [status, body.version])).toEqual([
    [200, 1],
    [200, 1],
  ]);
});

test('if two phones edit one form, the later save gets 409 with the current draft', async () => {
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId, answers: { reason: ['Cough'] } });
  const { status, body } = await phone.save(memberId, { definitionId, answers: { reason: ['Fever'] } });
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 'form_changed', current: { version: 1, answers: { reason: ['Cough'] } } });
});

test('ten phones begin one form concurrently: one creates the draft, the others get it', async () => {
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => phone.save(memberId, { definitionId, answers: { reason: [`Phone ${i}`] } })),
  );
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  expect(await rows()).toHaveLength(1);
});

test('saving is refused for unknown questions, another version and unknown members', async () => {
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const foreign = await phone.save(memberId, { definitionId, answers: { ...arrivalAnswers, elsewhere: ['x'] } });
  expect(foreign).toMatchObject({ status: 400, body: { code: 'answers_unreadable' } });
  const outdated = await phone.save(memberId, { definitionId: '019f1111-1111-7111-8111-111111111111' });
  expect(outdated).toMatchObject({ status: 409, body: { code: 'form_outdated', current: { definitionId } } });
  const nobody = await phone.save('019f6666-6666-7666-8666-666666666666', { definitionId });
  expect(nobody).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
  expect(await phone.read(memberId, 'no-such-form')).toMatchObject({ status: 404 });
});

test('saving is refused for a member of another visit', async () => {
  const mine = await testApp.visit({ office });
  const theirs = await testApp.visit({ office });
  const memberId = await openVisitPhone(testApp, theirs.token).first();
  expect(await openVisitPhone(testApp, mine.token).save(memberId, { definitionId })).toMatchObject({ status: 404 });
});

test('a draft keeps the version it was begun with; a new one uses the newest', async () => {
  const [early, late] = [await testApp.visit({ office }), await testApp.visit({ office })];
  const phone = openVisitPhone(testApp, early.token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId });
  const newer = { ...arrivalForm, title: 'Before you come in, 2' };
  await requestForms(testApp, office, [newer]);
  expect((await phone.read(memberId)).body).toMatchObject({ definitionId, formVersion: 1 });
  const other = openVisitPhone(testApp, late.token);
  expect((await other.read(await other.first())).body).toMatchObject({ formVersion: 2 });
  expect(await phone.submit(memberId, 1)).toMatchObject({ status: 200 });
});

test('the desk sees at once what is missing, begun and done', async () => {
  const visit = await testApp.visit({ office, ...family });
  const chip = async () => (await list())[0]?.forms[0];
  expect(await chip()).toEqual({
    indicator: 'arrival',
    formName: 'Arrival form',
    visibleName: { en: 'Arrival form', es: 'Formulario de llegada' },
    complete: false,
    incomplete: true,
    enablePendingIndicator: true,
    incompleteMessage: 'Missing for Ada Byron, Tom Byron',
    completeMessage: '',
    needed: 2,
    done: 0,
    started: 0,
    missing: ['Ada Byron', 'Tom Byron'],
    outcome: null,
  });
  const phone = openVisitPhone(testApp, visit.token);
  const [ada, tom] = (await phone.list()).body.members.map((member) => member.memberId) as [string, string];
  await phone.save(ada, { definitionId });
  expect(await chip()).toMatchObject({ done: 0, started: 1 });
  await phone.submit(ada, 1);
  expect(await chip()).toMatchObject({ done: 1, started: 0, missing: ['Tom Byron'], incomplete: true });
  await phone.save(tom, { definitionId });
  await phone.submit(tom, 1);
  expect(await chip()).toMatchObject({
    done: 2,
    missing: [],
    complete: true,
    incomplete: false,
    completeMessage: 'Complete',
  });
});

test('an unchanged queue stays a 304, and a submitted form changes it', async () => {
  const visit = await testApp.visit({ office });
  const first = await testApp.call(queue.listQueue, { query: {} }, { as: office });
  const known = { as: office, headers: { 'if-none-match': String(first.headers['etag']) } };
  expect(await testApp.call(queue.listQueue, { query: {} }, known)).toMatchObject({ status: 304 });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId });
  await phone.submit(memberId, 1);
  expect(await testApp.call(queue.listQueue, { query: {} }, known)).toMatchObject({ status: 200 });
});

test('a submitted form changes only with `amend`, and the change is an amendment', async () => {
  const { phone, memberId, submissionId } = await submittedForm(testApp, { office });
  const answers = { ...arrivalAnswers, reason: ['Fever'] };
  const refused = await phone.save(memberId, { definitionId, answers });
  expect(refused).toMatchObject({ status: 409, body: { code: 'form_submitted' } });
  expect((await phone.read(memberId)).body).toMatchObject({ state: 'submitted', answers: arrivalAnswers });

  await phone.save(memberId, { definitionId, answers, amend: true });
  expect((await list())[0]?.forms[0]).toMatchObject({ complete: true });
  await phone.submit(memberId, 1);
  const kept = await rows();
  expect(kept.map(({ state, amends, supersededAt }) => ({ state, amends, over: supersededAt !== null }))).toEqual([
    { state: 'submitted', amends: null, over: true },
    { state: 'amended', amends: submissionId, over: false },
  ]);
  expect(kept[1]?.answers).toMatchObject({ status: 'amended' });
});

test('an expired visit link opens no form', async () => {
  const { token } = await testApp.visit({ office });
  testApp.later(4 * 24 * 60);
  expect(await openVisitPhone(testApp, token).list()).toMatchObject({
    status: 404,
    body: { code: 'visit_link_ended' },
  });
});
