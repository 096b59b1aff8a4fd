import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk, formsSettings, queue } from '#contract/index.ts';
import { formSetting, requestForms, openVisitPhone, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { loadBuiltInForms } from './definitions.ts';

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());
beforeEach(async () => {
  office = await testApp.office();
  await requestForms(testApp, office);
});

const ask = (visitId: string, formType = 'arrival') =>
  testApp.call(formsDesk.askForForm, { params: { visitId }, body: { formType } }, { as: office });
const tokenIn = (body: string) => /\/visit\/([\w-]+)$/.exec(body)?.[1] ?? '';

test('requesting a form texts a link that opens the missing form, without naming it', async () => {
  const visit = await testApp.visit({ office });
  expect(await ask(visit.id)).toMatchObject({ status: 200, body: { sent: true } });
  const [text] = await testApp.texts(office);
  expect(text?.sent).toMatch(/^Maple Street Pediatrics: please finish your forms before your visit: http/);
  expect(text?.body).not.toMatch(/arrival/i);
  expect((await openVisitPhone(testApp, visit.token).list()).body.asked).toBeNull();
  const { body } = await openVisitPhone(testApp, tokenIn(text?.sent ?? '')).list();
  expect(body.asked).toBe('arrival');
});

test('requesting a form twice, or at two desks at once, sends one text; a minute later it sends another', async () => {
  const visit = await testApp.visit({ office });
  const answers = await Promise.all([ask(visit.id), ask(visit.id), ask(visit.id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.at)).size).toBe(1);
  const texts = async () => (await testApp.texts(office)).filter(({ kind }) => kind === 'link');
  expect(await texts()).toHaveLength(1);
  testApp.later(1);
  await ask(visit.id);
  expect(await texts()).toHaveLength(2);
});

test('the desk sees which form was requested, and that an opted-out number was not texted', async () => {
  const visit = await testApp.visit({ office });
  await ask(visit.id);
  const seen = await testApp.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(seen.body.messages).toMatchObject([{ kind: 'link', askedForm: 'arrival' }]);
  const stopped = await testApp.visit({ office });
  await testApp.inOffice(office, (tx) =>
    tx
      .insertInto('optOut')
      .values({ officeId: office.id, id: testApp.services.id(), phone: stopped.username, at: testApp.services.now() })
      .execute(),
  );
  const refused = await ask(stopped.id);
  expect(refused).toMatchObject({ status: 200, body: { sent: false, state: 'failed', problem: 'opted-out' } });
  expect(JSON.stringify(refused.body)).not.toContain('http');
});

test('requesting is refused for a form that is done or unknown, and for a visit that is over or of another office', async () => {
  const done = await submittedForm(testApp, { office });
  expect(await ask(done.visit.id)).toMatchObject({ status: 409, body: { code: 'form_submitted' } });
  const visit = await testApp.visit({ office });
  expect(await ask(visit.id, 'no-such-form')).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
  const over = await testApp.visit({ office, moves: ['invite', 'finish'] });
  expect(await ask(over.id)).toMatchObject({ status: 409, body: { code: 'visit_moved_on' } });
  const theirs = await testApp.visit({ office: testApp.other });
  expect(await ask(theirs.id)).toMatchObject({ status: 404, body: { code: 'visit_not_found' } });
  expect((await testApp.texts(office)).filter(({ kind }) => kind === 'link')).toEqual([]);
});

test('a patient who is inside can be asked for a form for ten minutes', async () => {
  const visit = await testApp.visit({ office, moves: ['invite', 'imIn'] });
  testApp.later(9);
  expect(await ask(visit.id)).toMatchObject({ status: 200, body: { sent: true } });
  testApp.later(2);
  expect(await ask(visit.id)).toMatchObject({ status: 409, body: { code: 'visit_moved_on' } });
});

test('requesting all missing forms sends one text that leads to the list of them', async () => {
  const visit = await testApp.visit({ office });
  const askAll = () => testApp.call(formsDesk.askForForm, { params: { visitId: visit.id }, body: {} }, { as: office });
  const answers = await Promise.all([askAll(), askAll()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const texts = await testApp.texts(office);
  expect(texts).toHaveLength(1);
  expect((await openVisitPhone(testApp, tokenIn(texts[0]?.sent ?? '')).list()).body.asked).toBeNull();
  const seen = await testApp.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(seen.body.messages).toMatchObject([{ kind: 'link', askedForm: '*' }]);
  const done = await submittedForm(testApp, { office });
  const nothing = await testApp.call(formsDesk.askForForm, { params: { visitId: done.id }, body: {} }, { as: office });
  expect(nothing).toMatchObject({ status: 409, body: { code: 'form_submitted' } });
  const foreign = { params: { visitId: visit.id }, body: {} };
  expect((await testApp.call(formsDesk.askForForm, foreign, { as: await testApp.office() })).status).toBe(404);
});

test('a request names the built-in forms that are missing, as the desk read it before, and counts the practice’s own', async () => {
  await loadBuiltInForms(testApp.services);
  const own = await testApp.office();
  await requestForms(testApp, own);
  const forms = ['insurance-card', 'photo-id', 'arrival'].map((type) => formSetting(type));
  await testApp.call(formsSettings.saveFormSettings, { body: { forms } }, { as: own });
  const request = async (language: 'en' | 'es', formType?: string) => {
    const { id: visitId } = await testApp.visit({ office: own, language });
    const { formRequest, texts } = (await testApp.call(queue.readVisit, { params: { visitId } }, { as: own })).body;
    const shown = (formType === undefined ? formRequest : texts.forms[formType]) ?? '';
    await testApp.call(formsDesk.askForForm, { params: { visitId }, body: { formType } }, { as: own });
    const sent = (await testApp.texts(own)).find((text) => text.visitId === visitId)?.sent ?? '';
    return { sent, shown: shown.replace(/\(.+\)$/, '') };
  };
  const english = await request('en');
  expect(english.sent).toMatch(
    /: please finish your Insurance Card, Photo ID, and 1 more form before your visit: http/,
  );
  expect(english.sent.replace(/http\S+$/, '')).toBe(english.shown);
  const spanish = await request('es');
  expect(spanish.sent).toMatch(/: complete los formularios Tarjeta del seguro y otros 2 antes de su visita: http/);
  expect(spanish.sent.replace(/http\S+$/, '')).toBe(spanish.shown);
  const one = await request('en', 'photo-id');
  expect(one.sent).toContain('please finish your Photo ID form before your visit');
  expect(one.sent.replace(/http\S+$/, '')).toBe(one.shown);
});
