import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import type { Extension, Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { formsDesk, queue } from '#contract/index.ts';
import { requestForms, openVisitPhone, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { pdfTexts } from '#testing/fixtures/pdf-texts.ts';

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  await requestForms(testApp, office);
});

const rows = () => testApp.inOffice(office, (tx) => tx.selectFrom('formSubmission').selectAll().execute());

test('a body mass index with more decimals than its form takes is filed rounded', async () => {
  const ofAnswer = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value`;
  const expression = `${ofAnswer('kg')} / (${ofAnswer('m')} * ${ofAnswer('m')})`;
  const bodyMass: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'bmi',
    title: 'Body mass',
    item: [
      { linkId: 'kg', type: 'decimal', text: 'Weight' },
      { linkId: 'm', type: 'decimal', text: 'Height' },
      {
        linkId: 'bmi',
        type: 'decimal',
        text: 'Body mass index',
        readOnly: true,
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/maxDecimalPlaces', valueInteger: 1 },
          { url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression } },
        ],
      },
    ],
  };
  const definition = (await requestForms(testApp, office, [bodyMass]))['bmi'];
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId: definition, answers: { kg: [70], m: [1.73] } }, 'bmi');
  expect(await phone.submit(memberId, 1, 'bmi')).toMatchObject({ status: 200 });
  expect((await rows())[0]?.answers).toMatchObject({
    item: [{}, {}, { linkId: 'bmi', answer: [{ valueDecimal: 23.4 }] }],
  });
});

test('a read-only or hidden answer that a phone changed is filed as the form has it', async () => {
  const hidden = { url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-hidden', valueBoolean: true };
  const fixed: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'fixed',
    title: 'Fixed',
    item: [
      { linkId: 'why', type: 'string', text: 'Why?' },
      { linkId: 'study', type: 'string', text: 'Study', readOnly: true, initial: [{ valueString: 'S-1' }] },
      { linkId: 'name', type: 'string', extension: [hidden, { url: urls.known, valueString: 'name' }] },
    ],
  };
  const definition = (await requestForms(testApp, office, [fixed]))['fixed'];
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  const memberId = await phone.first();
  const answers = { why: ['Cough'], study: ['FORGED'], name: ['Somebody Else'] };
  await phone.save(memberId, { definitionId: definition, answers }, 'fixed');
  expect(await phone.submit(memberId, 1, 'fixed')).toMatchObject({ status: 200 });
  expect((await rows())[0]?.answers).toMatchObject({
    item: [{}, { answer: [{ valueString: 'S-1' }] }, { answer: [{ valueString: 'Ada Byron' }] }],
  });
});

const byExpression = (url: string, expression: string): Extension => ({
  url,
  valueExpression: { language: 'text/fhirpath', expression },
});
const points = "%resource.item.where(linkId='points').answer.value";

/** A form that calculates: the answers determine a hidden sum, and the sum determines what is asked and the outcome. */
const sums: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'sums',
  status: 'active',
  title: 'Sums',
  extension: [
    {
      url: urls.outcome,
      extension: [
        { url: 'outcome', valueCode: 'review' },
        {
          url: 'when',
          extension: [
            { url: 'question', valueString: 'sum' },
            { url: 'operator', valueCode: '>=' },
            { url: 'answer', valueInteger: 10 },
          ],
        },
      ],
    },
    { url: urls.outcome, extension: [{ url: 'outcome', valueCode: 'clear' }] },
  ],
  item: [
    { linkId: 'points', type: 'integer', text: 'How many points?', required: true },
    {
      linkId: 'sum',
      type: 'integer',
      text: 'The sum',
      extension: [{ url: urls.hidden, valueBoolean: true }, byExpression(urls.calculated, `${points} * 2`)],
    },
    {
      linkId: 'why',
      type: 'string',
      text: 'Why so many?',
      required: true,
      extension: [byExpression(urls.enabledBy, `${points} > 4`)],
    },
  ],
};

test.each([
  ['few points', { points: [2], sum: [99], why: ['Said before'] }, 'clear', false],
  ['many points', { points: [6], sum: [0], why: ['I count well'] }, 'review', true],
])('%s: PDF, data and outcome follow the server’s calculation', async (_what, answers, outcome, isAsked) => {
  await requestForms(testApp, office, [sums]);
  const { phone, memberId } = await submittedForm(testApp, { office }, 'sums', answers);
  const pdf = (await testApp.app.inject((await phone.open(memberId, 'sums')).body.url)).rawPayload;
  const pdfLines = await pdfTexts(pdf);
  expect(pdfLines.filter((text) => /Why so many|The sum/.test(text))).toEqual(isAsked ? ['Why so many?'] : []);
  const [row] = await rows();
  expect(row?.outcome).toBe(outcome);
  // Only the COVID screening is called COVID.
  const [entry] = (await testApp.call(queue.listQueue, { query: {} }, { as: office })).body;
  expect(entry).toMatchObject({ covid: false, patientCovidWarning: false, forms: [{ indicator: 'sums', outcome }] });
  const [listed] = (await testApp.call(queue.listCheckedIn, { params: { npi: office.npi } }, { as: office })).body;
  expect(listed).toMatchObject({ review: outcome === 'review', covidReview: false });
  const userCode = entry?.patientUserCode ?? '';
  const { body: family } = await testApp.call(formsDesk.listUserForms, { query: { userCode } }, { as: office });
  expect(family[0]?.forms[0]?.label).toBe(outcome === 'review' ? '3/2/26 Review: Arrival form' : '3/2/26 Form');
  await testApp.inOffice(office, (tx) =>
    tx.updateTable('formSubmission').set({ formType: 'covid-screening' }).where('officeId', '=', office.id).execute(),
  );
  const [screened] = (await testApp.call(queue.listCheckedIn, { params: { npi: office.npi } }, { as: office })).body;
  expect(screened).toMatchObject({ review: outcome === 'review', covidReview: outcome === 'review' });
  const { body: renamed } = await testApp.call(formsDesk.listUserForms, { query: { userCode } }, { as: office });
  expect(renamed[0]?.forms[0]?.label).toBe(outcome === 'review' ? '3/2/26 COVID Review' : '3/2/26 COVID Clear');
  const filed = row?.answers as { item: { linkId: string; answer: { valueInteger?: number }[] }[] } | undefined;
  expect(filed?.item.map(({ linkId }) => linkId)).toEqual(['points', 'sum', ...(isAsked ? ['why'] : [])]);
  expect(filed?.item[1]?.answer).toEqual([{ valueInteger: isAsked ? 12 : 4 }]);
});

/** Scored like published instruments: by the extension of the chosen option. */
const scored: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'scored',
  status: 'active',
  title: 'Scored',
  item: [
    ...['tired', 'sad'].map((linkId) => ({
      linkId,
      type: 'choice',
      text: linkId,
      required: linkId === 'tired',
      answerOption: [0, 1, 2, 3].map((valueDecimal) => ({
        valueCoding: {
          system: 'urn:often',
          code: `c${valueDecimal}`,
          extension: [{ url: urls.ordinalValue, valueDecimal }],
        },
      })),
    })),
    {
      linkId: 'total',
      type: 'decimal',
      text: 'Total of ≥ 2 answers',
      required: true,
      readOnly: true,
      extension: [
        byExpression(
          urls.calculated,
          ['tired', 'sad']
            .map(
              (linkId) =>
                `%resource.item.where(linkId='${linkId}').answer.valueCoding.extension('${urls.ordinalValue}').value`,
            )
            .join(' + '),
        ),
      ],
    },
  ],
};
const often = (score: number) => [{ system: 'urn:often', code: `c${score}` }];

test.each([
  ['the score is filed and printed', { tired: often(3), sad: often(2) }, [{ valueDecimal: 5 }], '5'],
  [
    'a required score without a result does not block the form, and the PDF says so',
    { tired: often(3) },
    undefined,
    'Not calculated: some answers are missing.',
  ],
])('a form with a score: %s', async (_what, answers, total, printed) => {
  await requestForms(testApp, office, [scored]);
  const { phone, memberId } = await submittedForm(testApp, { office }, 'scored', answers);
  const pdfLines = await pdfTexts(
    (await testApp.app.inject((await phone.open(memberId, 'scored')).body.url)).rawPayload,
  );
  expect(pdfLines.join(' ').replace(/\s+/g, ' ')).toContain(`Total of ≥ 2 answers ${printed}`);
  const filed = (await rows())[0]?.answers as { item: { linkId: string; answer: unknown[] }[] } | undefined;
  expect(filed?.item.find(({ linkId }) => linkId === 'total')?.answer).toEqual(total);
  expect(JSON.stringify(filed)).not.toContain('extension');
});

test('a date that nobody can change is the day on which the patient began the form, also in an amendment', async () => {
  const dated: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'dated',
    status: 'active',
    title: 'Consent',
    item: [
      {
        linkId: 'day',
        type: 'date',
        text: 'Today is',
        readOnly: true,
        extension: [{ url: urls.initialBy, valueExpression: { language: 'text/fhirpath', expression: 'today()' } }],
      },
      { linkId: 'agrees', type: 'boolean', text: 'I agree', required: true },
    ],
  };
  const { dated: id } = await requestForms(testApp, office, [dated]);
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  const answers = { day: ['2026-03-02'], agrees: [true] };
  const dayFiled = async () => {
    const filed = (await rows()).find(({ state, supersededAt }) => state !== 'draft' && !supersededAt);
    return (filed?.answers as unknown as QuestionnaireResponse | undefined)?.item?.[0];
  };
  testApp.at('2026-03-03T04:50:00.000Z'); // 23:50 of March 2 in New York
  await phone.save(memberId, { definitionId: id, answers }, 'dated');
  testApp.at('2026-03-03T05:10:00.000Z');
  expect((await phone.submit(memberId, 1, 'dated')).status).toBe(200);
  expect(await dayFiled()).toMatchObject({ linkId: 'day', answer: [{ valueDate: '2026-03-02' }] });

  testApp.at('2026-03-03T15:00:00.000Z');
  await phone.save(memberId, { definitionId: id, answers, amend: true }, 'dated');
  expect((await phone.submit(memberId, 1, 'dated')).status).toBe(200);
  expect(await dayFiled()).toMatchObject({ linkId: 'day', answer: [{ valueDate: '2026-03-02' }] });
});

test('a required question that nobody can answer keeps no form from being filed', async () => {
  const by = (url: string, value: object): Extension => ({ url, ...value });
  const hidden = by(urls.hidden, { valueBoolean: true });
  const empty = by(urls.calculated, { valueExpression: { language: 'text/fhirpath', expression: '{}' } });
  const required = (linkId: string, more: object) => ({
    linkId,
    type: 'string',
    text: linkId,
    required: true,
    ...more,
  });
  const blocked: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'blocked',
    status: 'active',
    title: 'Blocked',
    item: [
      { linkId: 'reason', type: 'string', text: 'Why are you here?' },
      required('read-only', { readOnly: true }),
      required('hidden', { extension: [hidden] }),
      required('calculated', { extension: [empty] }),
      required('twice', { repeats: true, readOnly: true, extension: [by(urls.minOccurs, { valueInteger: 2 })] }),
      required('for-readers', { extension: [by(urls.usageMode, { valueCode: 'display' })] }),
      { linkId: 'g', type: 'group', required: true, extension: [hidden], item: [required('in-hidden', {})] },
      { linkId: 'h', type: 'group', required: true, item: [required('score', { readOnly: true, extension: [empty] })] },
    ],
  };
  await requestForms(testApp, office, [blocked]);
  // It throws if the form is not filed.
  await expect(submittedForm(testApp, { office }, 'blocked', { reason: ['A cough'] })).resolves.toBeDefined();
});
