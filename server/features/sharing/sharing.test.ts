import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formsDesk, sharing } from '#contract/index.ts';
import { requestForms, openVisitPhone, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;
let form: Awaited<ReturnType<typeof submittedForm>>;

beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  await requestForms(testApp, office);
  form = await submittedForm(testApp, { office });
});

const nobody = { as: null };
const make = (body: Record<string, unknown> = {}, token = form.token) =>
  testApp.call(
    sharing.makeShare,
    { params: { token }, body: { sharedWith: 'Elm School', submissionIds: [form.submissionId], ...body } },
    nobody,
  );
const made = async (body: Record<string, unknown> = {}) => {
  const { body: answer } = await make(body);
  return { ...answer.share, token: new URL(answer.url).searchParams.get('token') ?? '', url: answer.url };
};
const open = (token: string, more: Record<string, string> = {}, headers = {}) =>
  testApp.call(sharing.readSharedForms, { query: { token, ...more } }, { as: null, headers });
const openForm = (token: string, id = form.submissionId) =>
  testApp.call(sharing.openSharedForm, { query: { token, id } }, nobody);
const list = async (token = form.token) => (await testApp.call(sharing.listShares, { params: { token } }, nobody)).body;

test('a share link lists the shared forms with their family members, and opens them', async () => {
  const share = await made();
  expect(share.url).toContain(`/forms/shared?office=${office.npi}&token=`);
  const { status, body } = await open(share.token, { office: office.npi });
  expect(status).toBe(200);
  expect(body).toEqual({
    checkin: {
      patientName: 'Ada Byron',
      createdAt: '2026-03-02T15:00:00.000Z',
      patientUserCode: form.patientUserCode,
      activePatients: [{ name: 'Ada Byron' }],
    },
    officeName: 'Maple Street Pediatrics',
    officePhone: null,
    timeZone: 'America/New_York',
    forms: [
      {
        submissionId: form.submissionId,
        formName: 'Arrival form',
        patientName: 'Ada Byron',
        completedAt: '2026-03-02T15:00:00.000Z',
      },
    ],
    expiresAt: '2026-03-05T15:00:00.000Z',
  });
  const { body: link } = await openForm(share.token);
  const pdf = await testApp.app.inject(link.url);
  expect(pdf.statusCode).toBe(200);
  expect(pdf.headers['content-type']).toBe('application/pdf');
});

test('the patient sees when the link was opened, and which form', async () => {
  const share = await made();
  expect((await list())[0]?.opened).toEqual([]);
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
  await open(share.token, {}, { 'user-agent': chrome });
  testApp.later(1);
  await openForm(share.token);
  expect((await list())[0]?.opened).toEqual([
    { at: '2026-03-02T15:01:00.000Z', browser: null, system: null, formName: 'Arrival form' },
    { at: '2026-03-02T15:00:00.000Z', browser: 'Chrome', system: 'Windows', formName: null },
  ]);
});

test('a share link ends after 72 hours or the chosen time, and says so', async () => {
  const [usual, short] = [await made(), await made({ hours: 1 })];
  testApp.later(60);
  const current = { officeName: 'Maple Street Pediatrics', officePhone: null, hasExpired: true };
  expect(await open(short.token)).toMatchObject({ status: 410, body: { code: 'share_over', current } });
  expect(await openForm(short.token)).toMatchObject({ status: 410 });
  testApp.later(71 * 60 - 1);
  expect(await open(usual.token)).toMatchObject({ status: 200 });
  testApp.later(1);
  expect(await open(usual.token)).toMatchObject({
    status: 410,
    body: {
      title: 'It looks like your access to this form has expried. Please ask the patient to share the form again.',
    },
  });
});

test('a shared form is shown, or saved under its name', async () => {
  const share = await made();
  const link = async (as: 'inline' | 'attachment') => {
    const query = { token: share.token, id: form.submissionId, as };
    const { body } = await testApp.call(sharing.openSharedForm, { query }, nobody);
    return (await testApp.app.inject(body.url)).headers['content-disposition'];
  };
  expect(await link('attachment')).toContain('attachment; filename="2026-03-02 Ada Byron Arrival form.pdf"');
  expect(await link('inline')).toContain('inline; ');
});

test('revoking a share ends its file links at once, and no others', async () => {
  const [share, other] = [await made(), await made()];
  const [url, theirs] = [(await openForm(share.token)).body.url, (await openForm(other.token)).body.url];
  expect((await testApp.app.inject(url)).statusCode).toBe(200);
  await testApp.call(sharing.revokeShare, { params: { token: form.token, shareId: share.id } }, nobody);
  expect((await testApp.app.inject(url)).statusCode).toBe(404);
  expect((await testApp.app.inject(theirs)).statusCode).toBe(200);
});

test('a file link ends with the share it was opened through', async () => {
  const share = await made({ hours: 1 });
  testApp.later(59);
  const { url } = (await openForm(share.token)).body;
  testApp.later(1);
  expect((await testApp.app.inject(url)).statusCode).toBe(404);
});

test('a revoked share link opens nothing', async () => {
  const share = await made();
  const gone = await testApp.call(sharing.revokeShare, { params: { token: form.token, shareId: share.id } }, nobody);
  expect(gone.body).toMatchObject({ revokedAt: '2026-03-02T15:00:00.000Z', revokedBy: 'patient' });
  expect(await open(share.token)).toMatchObject({ status: 410, body: { code: 'share_over' } });
  expect((await list())[0]?.opened).toEqual([]);
});

test('a guessed, empty or truncated token answers 404, and so does one at another office', async () => {
  const share = await made();
  for (const token of ['', 'A'.repeat(32), share.token.slice(0, -1), `${share.token}A`, form.token, '../..'])
    expect(await open(token)).toMatchObject({ status: 404, body: { code: 'share_not_found' } });
  expect(await open(share.token, { office: testApp.other.npi })).toMatchObject({ status: 404 });
});

test('only submitted forms of this visit can be shared', async () => {
  const other = await submittedForm(testApp, { office });
  expect(await make({ submissionIds: [other.submissionId] })).toMatchObject({ status: 404 });
  expect(await make({ submissionIds: ['019f1111-1111-7111-8111-111111111111'] })).toMatchObject({ status: 404 });
  expect(await make({ submissionIds: [] })).toMatchObject({ status: 400 });
  expect(await make({ hours: 721 })).toMatchObject({ status: 400 });
  const share = await made();
  expect(await openForm(share.token, other.submissionId)).toMatchObject({ status: 404 });
});

test('another visit can neither list nor revoke the link', async () => {
  const share = await made();
  const other = await testApp.visit({ office });
  expect(await list(other.token)).toEqual([]);
  const tried = await testApp.call(sharing.revokeShare, { params: { token: other.token, shareId: share.id } }, nobody);
  expect(tried).toMatchObject({ status: 404, body: { code: 'share_not_found' } });
  expect(await open(share.token)).toMatchObject({ status: 200 });
});

test('only the hash of a share token is stored, and every view is in the audit log', async () => {
  const share = await made();
  await open(share.token);
  await openForm(share.token);
  const rows = await testApp.inOffice(office, (tx) => tx.selectFrom('shareLink').selectAll().execute());
  expect(JSON.stringify(rows)).not.toContain(share.token);
  const actions = (await testApp.auditEntries(office))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('share'));
  expect(actions).toEqual(['share.make', 'share.open', 'share.open-form']);
});

test('a share link names no other family members', async () => {
  const visit = await testApp.visit({
    office,
    household: [{ firstName: 'Grace', lastName: 'Byron', birthDate: null }],
  });
  const phone = openVisitPhone(testApp, visit.token);
  const grace = (await phone.list()).body.members.find(({ name }) => name === 'Grace Byron')?.memberId ?? '';
  const { body: read } = await phone.read(grace);
  await phone.save(grace, { definitionId: read.definitionId });
  const { body: submitted } = await phone.submit(grace, 1);
  const { body } = await make({ submissionIds: [submitted.submissionId] }, visit.token);
  const { body: shown } = await open(new URL(body.url).searchParams.get('token') ?? '');
  expect(shown.checkin).toMatchObject({ patientName: 'Grace Byron', activePatients: [{ name: 'Grace Byron' }] });
  expect(JSON.stringify(shown)).not.toContain('Ada');
});

describe('at the desk', () => {
  const desk = () => ({ as: office });
  const keyOf = async () =>
    (await testApp.call(formsDesk.listFormPaths, { query: {} }, desk())).body.forms.find(
      ({ id }) => id === form.submissionId,
    )?.objectKey ?? '';
  const sharesOf = async (key: string, as = office) => testApp.call(sharing.listFormShares, { query: { key } }, { as });
  const end = (shareId: string, as = office) => testApp.call(sharing.endShare, { params: { shareId } }, { as });

  test('the desk sees with whom the patient shares the open form, which is in the audit log', async () => {
    const key = await keyOf();
    expect((await sharesOf(key)).body).toEqual([]);
    await made();
    expect((await sharesOf(key)).body).toMatchObject([{ sharedWith: 'Elm School', revokedAt: null, opened: [] }]);
    const entries = (await testApp.auditEntries(office)).filter(({ action }) => action === 'share.read');
    expect(entries).toMatchObject([{ actor: 'staff', subject: form.visit.id }]);
  });

  test('the desk finds a share of an earlier version, and the patient sees it is outdated', async () => {
    await made();
    await form.phone.save(form.memberId, { definitionId: form.definitionId, amend: true });
    await form.phone.submit(form.memberId, 1);
    const { body: now } = await testApp.call(formsDesk.listFormPaths, { query: {} }, desk());
    expect((await sharesOf(now.forms[0]?.objectKey ?? '')).body).toMatchObject([{ forms: [{ outdated: true }] }]);
    expect(await list()).toMatchObject([{ forms: [{ outdated: true }] }]);
  });

  test('the desk revokes a link, and the patient sees who did', async () => {
    const share = await made();
    expect((await end(share.id)).body).toMatchObject({ revokedBy: 'office', revokedAt: '2026-03-02T15:00:00.000Z' });
    expect(await open(share.token)).toMatchObject({ status: 410 });
    expect(await list()).toMatchObject([{ revokedBy: 'office' }]);
    testApp.later(1);
    expect((await end(share.id)).body).toMatchObject({ revokedAt: '2026-03-02T15:00:00.000Z' });
    const entries = (await testApp.auditEntries(office)).filter(({ action }) => action === 'share.revoke');
    expect(entries).toMatchObject([{ actor: 'staff', subject: share.id }]);
  });

  test('the desk sees no links of another office', async () => {
    const share = await made();
    expect(await end(share.id, testApp.other)).toMatchObject({ status: 404, body: { code: 'share_not_found' } });
    expect(await sharesOf(await keyOf(), testApp.other)).toMatchObject({
      status: 404,
      body: { code: 'form_not_found' },
    });
    expect(await open(share.token)).toMatchObject({ status: 200 });
  });
});
