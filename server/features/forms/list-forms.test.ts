import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { fromBuffer, type Entry } from 'yauzl';
import { formsDesk, patientCheckIn, queue } from '#contract/index.ts';
import { arrivalAnswers, arrivalForm, requestForms, openVisitPhone, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

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

const list = async (query: Record<string, string> = {}, as = office) =>
  testApp.call(formsDesk.listFormPaths, { query }, { as });
const names = async (query: Record<string, string> = {}) =>
  (await list(query)).body.forms.map(({ patientName }) => patientName);
const came = (firstName: string, lastName: string) => submittedForm(testApp, { office, firstName, lastName });

test('the forms list is newest first, ten per page, with the total', async () => {
  for (let i = 0; i < 12; i++) {
    testApp.later(1);
    await came('Ada', `Byron${String.fromCharCode(65 + i)}`);
  }
  const { body } = await list();
  expect(body).toMatchObject({ total: 12, page: 1, pageSize: 10 });
  expect(body.forms.map(({ patientName }) => patientName.at(-1)).join('')).toBe('LKJIHGFEDC');
  expect(body.forms[0]).toMatchObject({
    sk: 'FORM#2026-03-02T15:12:00.000Z',
    formType: 'arrival',
    formName: 'Arrival form',
  });
  expect(await names({ page: '2' })).toEqual(['Ada ByronB', 'Ada ByronA']);
  expect((await list({ page: '3' })).body).toMatchObject({ total: 12, forms: [] });
  expect((await list({ page: '999999' })).body).toMatchObject({ total: 12, forms: [] });
});

test('the forms list has each patient’s birthday, which tells two of the same name apart', async () => {
  await submittedForm(testApp, { office, firstName: 'Maria', lastName: 'Lopez', birthDate: '1988-05-06' });
  testApp.later(1);
  const { visit } = await submittedForm(testApp, {
    office,
    firstName: 'Maria',
    lastName: 'Lopez',
    birthDate: '2019-02-09',
  });
  const birthDates = ({ forms }: { forms: { birthDate: string | null }[] }) => forms.map(({ birthDate }) => birthDate);
  expect(birthDates((await list()).body)).toEqual(['2019-02-09', '1988-05-06']);
  expect(birthDates((await list({ visitId: visit.id })).body)).toEqual(['2019-02-09']);
  expect(birthDates((await list({ page: '2' })).body)).toEqual([]);
});

test('forms are counted by type, for the days and the name of the search', async () => {
  await requestForms(testApp, office, [arrivalForm, { ...arrivalForm, id: 'second' }]);
  testApp.at('2026-03-01T15:00:00.000Z');
  await submittedForm(testApp, { office, firstName: 'Ada', lastName: 'Byron' });
  testApp.at('2026-03-02T15:00:00.000Z');
  await submittedForm(testApp, { office, firstName: 'José', lastName: 'Núñez' });
  await submittedForm(testApp, { office, firstName: 'José', lastName: 'Núñez' }, 'second');
  const counts = async (body: object, as = office) => (await testApp.call(formsDesk.countForms, { body }, { as })).body;
  const one = (formType: string) => ({ formType, count: 1 });
  expect(await counts({})).toEqual({ total: 3, types: [{ formType: 'arrival', count: 2 }, one('second')] });
  expect(await counts({ startDate: '2026-03-02' })).toEqual({ total: 2, types: [one('arrival'), one('second')] });
  expect(await counts({ patientName: 'jose' })).toMatchObject({ total: 2 });
  expect(await counts({ patientName: 'byron', endDate: '03012026' })).toEqual({ total: 1, types: [one('arrival')] });
  expect(await counts({}, testApp.other)).toEqual({ total: 0, types: [] });
  const call = testApp.call(
    formsDesk.countForms,
    { body: { startDate: '2026-03-02', endDate: '2026-03-01' } },
    { as: office },
  );
  expect(await call).toMatchObject({ status: 400 });
});

test('an amended form is counted once', async () => {
  const { phone, memberId, definitionId } = await came('Ada', 'Byron');
  await phone.save(memberId, { definitionId, amend: true, answers: arrivalAnswers });
  await phone.submit(memberId, 1);
  expect((await testApp.call(formsDesk.countForms, { body: {} }, { as: office })).body.total).toBe(1);
});

test('a form filed now is in the next answer of the forms list', async () => {
  await came('Ada', 'Byron');
  expect((await list()).body.total).toBe(1);
  expect((await list({ endDate: '2026-03-01' })).body.total).toBe(0);
  await came('Grace', 'Hopper');
  expect((await list()).body.total).toBe(2);
  expect((await list({ endDate: '2026-03-01' })).body.total).toBe(0);
});

test('the forms list shows the reader’s office’s names for forms, in the reader’s language', async () => {
  await came('Ada', 'Byron');
  const called = async (language: string) => {
    const { body } = await testApp.call(
      formsDesk.listFormPaths,
      { query: {} },
      { as: office, headers: { 'accept-language': language } },
    );
    return body.forms.map(({ formName }) => formName);
  };
  expect([await called('en'), await called('es')]).toEqual([['Arrival form'], ['Formulario de llegada']]);
});

test('the forms list finds names by their beginnings, in any order, ignoring accents and case', async () => {
  await came('José', 'Núñez O’Brien');
  await came('Mary Ann', 'Jones');
  for (const patientName of ['jose', 'NUNEZ', 'nuñez jo', 'o brien', 'brien', '  josé   o’b '])
    expect(await names({ patientName }), patientName).toEqual(['José Núñez O’Brien']);
  expect(await names({ patientName: 'jo' })).toEqual(['Mary Ann Jones', 'José Núñez O’Brien']);
  for (const patientName of ['ose', 'jose jones', '%', '_', "'"]) {
    const found = await names({ patientName });
    expect(found, patientName).toHaveLength(/^[%_']$/.test(patientName) ? 2 : 0);
  }
});

test('the forms of a visit are those of its whole family, and of nobody else', async () => {
  const arrival = {
    firstName: 'Ada',
    lastName: 'Byron',
    phone: '+17185553900',
    birthDate: '1990-04-02',
    language: 'en' as const,
    household: [{ firstName: 'Ralph', lastName: 'Noel', birthDate: '2020-01-02' }],
  };
  const { body: checkedIn } = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival },
    { as: null },
  );
  const phone = openVisitPhone(testApp, checkedIn.token ?? '');
  for (const { memberId } of (await phone.list()).body.members) {
    const { definitionId } = (await phone.read(memberId)).body;
    const { version } = (await phone.save(memberId, { definitionId })).body;
    expect((await phone.submit(memberId, version)).status).toBe(200);
  }
  await came('Grace', 'Hopper');

  const visitId = (await list({ patientName: 'ralph' })).body.forms[0]?.visitId ?? '';
  const { body } = await list({ visitId });
  expect(body.forms.map(({ patientName }) => patientName).sort()).toEqual(['Ada Byron', 'Ralph Noel']);
  expect(body).toMatchObject({ total: 2, page: 1 });
  expect((await list({ visitId, page: '2' })).body).toMatchObject({ total: 2, forms: [] });
  expect((await list({ visitId }, testApp.other)).body).toMatchObject({ total: 0, forms: [] });
});

test('the list’s days are in the office’s time zone, both included, and never later than today', async () => {
  testApp.at('2026-03-01T03:30:00.000Z'); // still 28 February in New York
  await came('Late', 'Visitor');
  testApp.at('2026-03-02T15:00:00.000Z');
  await came('Ada', 'Byron');
  expect(await names({ startDate: '2026-02-28', endDate: '02282026' })).toEqual(['Late Visitor']);
  expect(await names({ startDate: '2026-03-01' })).toEqual(['Ada Byron']);
  expect(await names({ startDate: '2026-02-28', endDate: '2030-01-01' })).toEqual(['Ada Byron', 'Late Visitor']);
  expect(await list({ startDate: '2026-03-02', endDate: '2026-03-01' })).toMatchObject({ status: 400 });
  expect(await list({ startDate: '2026-02-30' })).toMatchObject({ status: 400 });
});

test('the forms list ignores empty filters', async () => {
  await came('Ada', 'Byron');
  expect(await names({ formType: '', startDate: '', endDate: '', patientName: '' })).toEqual(['Ada Byron']);
});

test('an amended form is listed once, with its new PDF', async () => {
  const { phone, memberId, definitionId } = await came('Ada', 'Byron');
  const before = (await list()).body.forms[0];
  await phone.save(memberId, { definitionId, amend: true, answers: { ...arrivalAnswers, reason: ['Fever'] } });
  await phone.submit(memberId, 1);
  const { body } = await list();
  expect(body.forms.map(({ amended }) => amended)).toEqual([true]);
  expect(body.forms[0]?.objectKey).not.toBe(before?.objectKey);
  const first = await testApp.call(formsDesk.readFormUrl, { query: { key: before?.objectKey ?? '' } }, { as: office });
  expect(first.status).toBe(200);
});

test('a patient’s forms are grouped by family member, each labeled with its date and kind', async () => {
  const { patientUserCode } = await submittedForm(testApp, {
    office,
    household: [{ firstName: 'Tom', lastName: 'Byron', birthDate: null }],
  });
  const { body } = await testApp.call(
    formsDesk.listUserForms,
    { query: { userCode: patientUserCode, npi: office.npi } },
    { as: office },
  );
  expect(body).toEqual([
    { name: 'Ada Byron', forms: [expect.objectContaining({ label: '3/2/26 Form', formType: 'arrival' })] },
    { name: 'Tom Byron', forms: [] },
  ]);
  const spanish = { as: office, headers: { 'accept-language': 'es' } };
  const query = { userCode: patientUserCode };
  expect((await testApp.call(formsDesk.listUserForms, { query }, spanish)).body[0]?.forms[0]?.label).toBe(
    '2/3/2026 Formulario',
  );
  expect(await testApp.call(formsDesk.listUserForms, { query: { userCode: 'nobody' } }, { as: office })).toMatchObject({
    status: 404,
  });
});

test('today’s list shows who checked in and how many forms each has; its popup shows that visit’s forms', async () => {
  const phone = '+16465550142';
  const morning = await submittedForm(testApp, { office, phone, moves: ['invite', 'finish'] });
  testApp.later(90);
  const noon = await testApp.visit({ office, phone });
  const { body } = await testApp.call(queue.listCheckedIn, { params: { npi: office.npi } }, { as: office });
  expect(body).toMatchObject([
    { id: morning.visit.id, formsFiled: 1, review: false },
    { id: noon.id, formsFiled: 0 },
  ]);
  const userCode = body[0]?.patientUserCode ?? '';
  const of = async (dateTime: string, code = userCode) =>
    testApp.call(formsDesk.listUserForms, { query: { userCode: code, dateTime } }, { as: office });
  expect((await of(body[0]?.createdAt ?? '')).body[0]?.forms).toHaveLength(1);
  expect((await of(body[1]?.createdAt ?? '')).body[0]?.forms).toEqual([]);
  expect(await of('2026-03-01T00:00:00.000Z')).toMatchObject({ status: 404, body: { code: 'patient_not_found' } });
  await requestForms(testApp, testApp.other);
  const theirs = await submittedForm(testApp, { office: testApp.other });
  expect(await of(body[0]?.createdAt ?? '', theirs.patientUserCode)).toMatchObject({ status: 404 });
});

test('listing files works below a prefix of the caller’s office, and no other', async () => {
  await came('Ada', 'Byron');
  const ask = (prefix: string, bucket?: string) =>
    testApp.call(formsDesk.listFormFiles, { query: { prefix, ...(bucket && { bucket }) } }, { as: office });
  expect((await ask(office.npi)).body).toEqual([
    { key: expect.stringContaining(office.npi), date: '2026-03-02T15:00:00.000Z' },
  ]);
  expect((await ask(`${office.npi}/2026/03/`, office.id)).body).toHaveLength(1);
  expect((await ask(`${office.npi}/2025`)).body).toEqual([]);
  for (const [prefix, bucket] of [
    [testApp.other.npi],
    [office.npi, testApp.other.npi],
    ['..'],
    ['%'],
    [`${office.npi}1`],
  ] as [string, string?][])
    expect(await ask(prefix, bucket), prefix).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
});

test('searching with the filter in the body finds the same forms as the query string', async () => {
  await came('Zoë', 'Moreau');
  await came('Ada', 'Byron');
  const filters: Record<string, string>[] = [
    {},
    { patientName: 'zoe' },
    { formType: 'arrival', startDate: '2026-03-02' },
    { page: '2' },
  ];
  for (const filter of filters) {
    const { status, body } = await testApp.call(formsDesk.searchForms, { body: filter }, { as: office });
    expect([status, body]).toEqual([200, (await list(filter)).body]);
  }
  const theirs = await testApp.call(
    formsDesk.searchForms,
    { body: { patientName: 'ada' } },
    { as: await testApp.office() },
  );
  expect(theirs.body).toMatchObject({ total: 0, forms: [] });
});

test('a PDF opens by a short-lived URL or is downloaded; each time is in the audit log', async () => {
  await came('Ada', 'Byron');
  const key = (await list()).body.forms[0]?.objectKey ?? '';
  const { body } = await testApp.call(formsDesk.readFormUrl, { query: { key, bucket: office.npi } }, { as: office });
  expect(body).toMatchObject({
    fileName: '2026-03-02 Ada Byron Arrival form.pdf',
    expiresAt: '2026-03-02T15:02:00.000Z',
  });
  expect(body.url).not.toContain('Ada/');
  expect((await testApp.app.inject(body.url)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  testApp.later(3);
  expect((await testApp.app.inject(body.url)).statusCode).toBe(404);

  const got = await testApp.call(formsDesk.downloadForm, { query: { key } }, { as: office });
  expect(got.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringContaining('2026-03-02 Ada Byron Arrival form.pdf'),
  });
  const actions = (await testApp.auditEntries(office)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('form.')).slice(-2)).toEqual(['form.open', 'form.download']);
});

test('a key of another office is not found by any endpoint', async () => {
  await requestForms(testApp, testApp.other);
  await submittedForm(testApp, { office: testApp.other });
  const theirs = (await list({}, testApp.other)).body.forms[0]?.objectKey ?? '';
  await came('Ada', 'Byron');
  const ours = (await list()).body.forms[0]?.objectKey ?? '';
  const as = { as: office };
  const answers = [
    await testApp.call(formsDesk.readFormUrl, { query: { key: theirs } }, as),
    await testApp.call(formsDesk.readFormUrl, { query: { key: ours, bucket: testApp.other.npi } }, as),
    await testApp.call(formsDesk.downloadForm, { query: { key: theirs } }, as),
    await testApp.call(formsDesk.bulkDownloadForms, { body: { forms: [ours, theirs] } }, as),
    await testApp.call(formsDesk.bulkDownloadForms, { body: { forms: [ours], bucket: testApp.other.id } }, as),
    await testApp.call(formsDesk.downloadForm, { query: { key: '../../../etc/passwd' } }, as),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(404));
});

test('a zip has safe, unique names, a Content-Length, and an audit entry for each form', async () => {
  await came('Ada', 'Byron');
  await came('Ada', 'Byron');
  await came('..', '/../../etc/pass\u202ewd');
  const { body } = await list();
  const keys = body.forms.map(({ objectKey }) => objectKey);
  const answer = await testApp.app.inject({
    method: 'POST',
    url: '/api/forms/bulk-download',
    headers: { authorization: `Bearer ${office.token}`, 'x-office': office.id },
    payload: { forms: [...keys, ...keys], bucket: office.npi },
  });
  expect(answer.headers['content-type']).toBe('application/zip');
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
  const entries = await unzip(answer.rawPayload);
  expect(entries.map(({ fileName }) => fileName)).toEqual([
    '2026-03-02 .. -..-..-etc-passwd Arrival form.pdf',
    '2026-03-02 Ada Byron Arrival form.pdf',
    '2026-03-02 Ada Byron Arrival form (2).pdf',
  ]);
  expect(entries.map(({ uncompressedSize }) => uncompressedSize)).toEqual(body.forms.map(({ bytes }) => bytes));
  const told = (await testApp.auditEntries(office)).filter(({ action }) => action === 'form.download');
  expect(told.map(({ subject }) => subject).sort()).toEqual(body.forms.map(({ id }) => id).sort());
});

test('a missing file breaks the zip’s stream: half a zip never looks whole', async () => {
  await came('Ada', 'Byron');
  const [form] = (await list()).body.forms;
  await testApp.services.providers.storage.delete(form?.objectKey ?? '');
  await expect(
    testApp.app.inject({
      method: 'POST',
      url: '/api/forms/bulk-download',
      headers: { authorization: `Bearer ${office.token}`, 'x-office': office.id },
      payload: { forms: [form?.objectKey] },
    }),
  ).rejects.toThrow();
  expect(
    await testApp.call(formsDesk.downloadForm, { query: { key: form?.objectKey ?? '' } }, { as: office }),
  ).toMatchObject({
    status: 503,
    body: { code: 'files_away' },
  });
});

function unzip(zip: Buffer): Promise<Entry[]> {
  return new Promise((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: false, validateEntrySizes: true }, (error, file) => {
      if (error) return reject(error);
      const entries: Entry[] = [];
      file.on('entry', (entry: Entry) => void entries.push(entry));
      file.on('error', reject);
      file.on('end', () => resolve(entries));
    }),
  );
}

/** Where the logger's lines go, each as JSON. */
function logStream(log: object): { write(line: string): void } {
  const key = Object.getOwnPropertySymbols(log).find(({ description }) => description === 'pino.stream');
  return Reflect.get(log, key ?? '') as { write(line: string): void };
}

test('the name in the URL of the older search is in no log: not of an answer, a refusal or an error, and not in the audit log', async () => {
  await came('Quimby', 'Canary');
  const patientName = 'Quimby Canary';
  const { log } = testApp.app;
  const { level } = log;
  const printed: string[] = [];
  const print = vi.spyOn(logStream(log), 'write').mockImplementation((line) => void printed.push(line));
  log.level = 'trace';
  try {
    expect((await list({ patientName })).body.total).toBe(1);
    expect((await list({ patientName, startDate: 'Canary' })).status).toBe(400);
    expect((await testApp.app.inject(`/api/onemd/api/v2/nowhere/?patientName=${patientName}`)).statusCode).toBe(404);
    await testApp.owner.schema.alterTable('formSubmission').renameTo('formSubmissionGone').execute();
    expect((await list({ patientName: 'Canary' })).status).toBe(500);
  } finally {
    await testApp.owner.schema.alterTable('formSubmissionGone').renameTo('formSubmission').execute();
    log.level = level;
    print.mockRestore();
  }
  const lines = printed.join('');
  expect(lines).toContain('unhandled error');
  expect(lines).toContain('/onemd/api/v2/formpaths');
  expect(lines).not.toMatch(/quimby|canary/i);
  expect(JSON.stringify(await testApp.auditEntries(office))).not.toMatch(/quimby|canary/i);
});
