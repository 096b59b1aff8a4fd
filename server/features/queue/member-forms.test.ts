import { afterAll, beforeAll, expect, test } from 'vitest';
import { formsSettings, queue } from '#contract/index.ts';
import { loadBuiltInForms } from '#server/features/forms/index.ts';
import { formSetting, openVisitPhone, requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp();
  await loadBuiltInForms(testApp.services);
  office = await testApp.office();
  await requestForms(testApp, office);
});
afterAll(() => testApp.close());

const objectKey = expect.stringMatching(/^\d{10}\/\d{4}\/\d{2}\/\d{2}\//) as string;
const child = { firstName: 'Ben', lastName: 'Byron', birthDate: '2019-02-09' };
const open = (visitId: string, as = office) => testApp.call(queue.readVisit, { params: { visitId } }, { as });

test('the desk sees every form of every family member, and the key of what was submitted', async () => {
  const { visit, phone } = await submittedForm(testApp, { office, household: [child] });
  const { body } = await open(visit.id);
  const arrival = { formType: 'arrival', visibleName: { en: 'Arrival form', es: 'Formulario de llegada' } };
  expect(body.memberForms).toMatchObject([
    { name: 'Ada Byron', forms: [{ ...arrival, state: 'submitted', outcome: null, objectKey }] },
    { name: 'Ben Byron', forms: [{ ...arrival, state: 'missing', outcome: null, objectKey: null }] },
  ]);
  const ben = body.memberForms[1]?.memberId ?? '';
  const { body: form } = await phone.read(ben);
  await phone.save(ben, { definitionId: form.definitionId, answers: { reason: ['Cough'] } });
  expect((await open(visit.id)).body.memberForms[1]?.forms).toMatchObject([{ state: 'started', objectKey: null }]);
  expect((await open(visit.id, testApp.other)).status).toBe(404);
});

test('a submitted form stays in view when it is amended, and when the office stops asking for it', async () => {
  const own = await testApp.office();
  await requestForms(testApp, own);
  const { visit, memberId, definitionId, phone } = await submittedForm(testApp, { office: own });
  await phone.save(memberId, { definitionId, answers: { reason: ['Fever'] } });
  const forms = async () => (await open(visit.id, own)).body.memberForms[0]?.forms;
  expect(await forms()).toMatchObject([{ state: 'submitted', objectKey }]);
  const none = { body: { forms: [formSetting('arrival', { enabled: false }), formSetting('consent')] } };
  expect((await testApp.call(formsSettings.saveFormSettings, none, { as: own })).status).toBe(200);
  expect(await forms()).toMatchObject([
    { formType: 'consent', state: 'missing' },
    { formType: 'arrival', state: 'submitted', objectKey },
  ]);
});

test('the desk reads the request before it is sent; there is none once nothing is missing', async () => {
  const visit = await testApp.visit({ office });
  expect((await open(visit.id)).body.formRequest).toBe(
    'Maple Street Pediatrics: please finish your forms before your visit: (link to the visit)',
  );
  expect((await openVisitPhone(testApp, visit.token).list()).body.members).toHaveLength(1);
  const done = await submittedForm(testApp, { office });
  expect((await open(done.visit.id)).body.formRequest).toBeNull();
  expect((await open(done.visit.id)).body.texts).toEqual({
    invite: 'Maple Street Pediatrics: we are ready for you. Please come in now. (link to the visit)',
    reinvite: 'Maple Street Pediatrics: we are still waiting for you. Please come in now. (link to the visit)',
    forms: {},
  });
});
