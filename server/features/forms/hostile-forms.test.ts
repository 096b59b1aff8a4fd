import { afterAll, beforeAll, expect, test } from 'vitest';
import { formsSettings, queue } from '#contract/index.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { arrivalForm, formSetting, openVisitPhone } from '#testing/fixtures/forms.ts';
import { hostileQuestionnaires } from '#testing/fixtures/hostile-questionnaires.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { addOwnForm } from './definitions.ts';
import { toNewDefinition } from './new-definition.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

const load = (text: string, as = testApp.maple, check = true) =>
  testApp.call(formsSettings.loadForm, { body: { text, check } }, { as });

test.each(Object.entries(hostileQuestionnaires))(
  'loading %s does not keep another office from reading its queue',
  async (what, make) => {
    const stranger = await testApp.office();
    let isOver = false;
    const answer = load(JSON.stringify(make()), stranger, false).finally(() => (isOver = true));
    let slowestMs = 0;
    while (!isOver) {
      const from = performance.now();
      expect(await testApp.call(queue.listQueue, { query: {} })).toMatchObject({ status: 200 });
      slowestMs = Math.max(slowestMs, performance.now() - from);
      await new Promise((done) => setTimeout(done, 20));
    }
    const { status, body } = await answer;
    expect(status).toBe(200);
    // A long list in many items is built once and may be used. Everything else is refused.
    expect(body.form !== null).toBe(/value set|same with words/.test(what));
    expect(body.findings.some(({ severity }) => severity === 'error')).toBe(body.form === null);
    expect(slowestMs).toBeLessThan(1_500);
  },
);

test('the finding for a slow questionnaire names the expression that was running', async () => {
  const { body } = await load(JSON.stringify(hostileQuestionnaires['FHIRPath of four loops']?.()));
  expect(body.findings[0]).toMatchObject({ code: 'takes_too_long', severity: 'error' });
  expect(body.findings[0]?.detail).toContain('.select(');
});

test.each([
  ['a list doubled 26 times', '%v13.combine(%v13)'],
  ['a long text in capitals', '%s8 & %s8'],
  ['a long text split', '%s8 & %s8'],
])('%s is refused at the step with too much output, and its worker continues', async (name, step) => {
  const { body } = await load(JSON.stringify(hostileQuestionnaires[name]?.()), await testApp.office());
  expect(body.findings).toContainEqual(
    expect.objectContaining({ code: 'expression_result_too_large', severity: 'error', detail: step }),
  );
  expect(body.findings.map(({ code }) => code)).not.toContain('takes_too_long');
});

test('one office’s slow questionnaires do not delay another office’s', async () => {
  const stranger = await testApp.office();
  const slow = JSON.stringify(hostileQuestionnaires['FHIRPath of four loops']?.());
  const slowOnes = Promise.all([1, 2].map(() => load(slow, stranger)));
  let isOver = false;
  void slowOnes.finally(() => (isOver = true));
  expect((await load(JSON.stringify(arrivalForm))).body.becomes).toMatchObject({ formType: 'arrival' });
  expect(isOver).toBe(false);
  expect((await slowOnes).map(({ status }) => status)).toEqual([200, 200]);
});

test('too many questionnaires at once are refused with Retry-After', async () => {
  const office = await testApp.office();
  const slow = JSON.stringify(hostileQuestionnaires['FHIRPath of four loops']?.());
  const replies = await Promise.all(Array.from({ length: 26 }, (_, i) => load(i === 0 ? slow : '{}', office)));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([503, 'overloaded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('an office loads at most 30 questionnaires in ten minutes, and its audit log lists each try', async () => {
  const [office, other] = [await testApp.office(), await testApp.office()];
  for (let i = 0; i < 30; i++) expect((await load('{}', office)).status).toBe(200);
  const { status, body, headers } = await load('{}', office);
  expect([status, body.code]).toEqual([429, 'too_many_tries']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await load('{}', other)).status).toBe(200);
  const entries = await testApp.auditEntries(office);
  expect(entries.filter(({ action }) => action === 'form.check')).toHaveLength(30);
  expect(entries.at(-1)).toMatchObject({ action: 'form.load', outcome: 'too_many_tries' });
});

/** A stored form that would be refused today: it was loaded before the limits existed. */
async function storedForm(office: TestOffice, questionnaire: Questionnaire) {
  const definition = toNewDefinition(questionnaire);
  const given = { officeId: office.id, id: testApp.services.id(), at: testApp.now(), by: office.personId };
  await testApp.inOffice(office, (tx) => addOwnForm(tx, given, definition));
  await testApp.call(
    formsSettings.saveFormSettings,
    { body: { forms: [formSetting(definition.type)] } },
    { as: office },
  );
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  return { phone, memberId: await phone.first(), definitionId: given.id, type: definition.type };
}

test.each(['FHIRPath of four loops', 'a list doubled 26 times'])(
  'a stored form with %s can be saved, and submitting it is refused without holding a lock',
  async (name) => {
    const questionnaire = hostileQuestionnaires[name]?.() as Questionnaire;
    const office = await testApp.office();
    const { phone, memberId, definitionId, type } = await storedForm(office, questionnaire);
    expect((await phone.save(memberId, { definitionId, answers: { q: [1] } }, type)).status).toBe(200);
    let isOver = false;
    const submitting = phone.submit(memberId, 1, type).finally(() => (isOver = true));
    while (!isOver) {
      const from = performance.now();
      expect((await phone.read(memberId, type)).status).toBe(200); // waits for the row if it is locked
      expect(performance.now() - from).toBeLessThan(1_500);
      await new Promise((done) => setTimeout(done, 50));
    }
    const { status, body } = await submitting;
    expect([status, body.code]).toEqual([422, 'form_too_slow']);
    expect((await phone.read(memberId, type)).body).toMatchObject({ state: 'draft', answers: { q: [1] } });
  },
);

test('a patient of another office submits while a hostile form is being processed', async () => {
  const hostile = await storedForm(
    await testApp.office(),
    hostileQuestionnaires['FHIRPath of four loops']?.() as Questionnaire,
  );
  const { definitionId, type } = hostile;
  await hostile.phone.save(hostile.memberId, { definitionId, answers: { q: [1] } }, type);
  const good = await storedForm(await testApp.office(), arrivalForm);
  await good.phone.save(good.memberId, { definitionId: good.definitionId });
  let isOver = false;
  const slow = hostile.phone.submit(hostile.memberId, 1, type).finally(() => (isOver = true));
  expect((await good.phone.submit(good.memberId, 1)).status).toBe(200);
  expect(isOver).toBe(false);
  expect((await slow).status).toBe(422);
});

test('huge counts sent for nested groups do not make the server loop over them', async () => {
  const { phone, memberId, definitionId, type } = await storedForm(
    await testApp.office(),
    hostileQuestionnaires['four nested groups, 200 each']?.() as Questionnaire,
  );
  const from = performance.now();
  const answers = { g4: [200], 'g3#0': [200], 'g2#0.0': [200], 'g1#0.0.0': [200], 'q#0.0.0.0': [1] };
  expect((await phone.save(memberId, { definitionId, answers }, type)).status).toBe(200);
  expect(performance.now() - from).toBeLessThan(2_000);
});
