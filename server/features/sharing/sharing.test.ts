import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sharing } from '#contract/index.ts';
import { askFor, submittedForm } from '#testing/forms.ts';
import { openHouse, type TestHouse, type TestOffice } from '#testing/house.ts';

let house: TestHouse;
let office: TestOffice;
let form: Awaited<ReturnType<typeof submittedForm>>;

beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());
beforeEach(async () => {
  house.at('2026-03-02T15:00:00.000Z');
  office = await house.office();
  await askFor(house, office);
  form = await submittedForm(house, { office });
});

const nobody = { as: null };
const make = (body: Record<string, unknown> = {}, token = form.token) =>
  house.call(
    sharing.makeShare,
    { params: { token }, body: { sharedWith: 'Elm School', submissionIds: [form.submissionId], ...body } as never },
    nobody,
  );
const made = async (body: Record<string, unknown> = {}) => {
  const { body: answer } = await make(body);
  return { ...answer.share, token: new URL(answer.url).searchParams.get('token') ?? '', url: answer.url };
};
const open = (token: string, more: Record<string, string> = {}, headers = {}) =>
  house.call(sharing.readSharedForms, { query: { token, ...more } }, { as: null, headers });
const openForm = (token: string, id = form.submissionId) =>
  house.call(sharing.openSharedForm, { query: { token, id } }, nobody);
const list = async (token = form.token) => (await house.call(sharing.listShares, { params: { token } }, nobody)).body;

test('who has the link reads whose forms they are, and opens them', async () => {
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
  const pdf = await house.app.inject(link.url);
  expect(pdf.statusCode).toBe(200);
  expect(pdf.headers['content-type']).toBe('application/pdf');
});

test('the patient sees when it was opened, and with what', async () => {
  const share = await made();
  expect((await list())[0]?.opened).toEqual([]);
  await open(share.token, {}, { 'user-agent': 'School browser' });
  house.later(1);
  await openForm(share.token);
  expect((await list())[0]?.opened).toEqual([
    { at: '2026-03-02T15:01:00.000Z', browser: expect.any(String), formName: 'Arrival form' },
    { at: '2026-03-02T15:00:00.000Z', browser: 'School browser', formName: null },
  ]);
});

test('it ends after 72 hours, or as chosen, and says so', async () => {
  const [usual, short] = [await made(), await made({ hours: 1 })];
  house.later(60);
  expect(await open(short.token)).toMatchObject({ status: 410, body: { code: 'share_over' } });
  expect(await openForm(short.token)).toMatchObject({ status: 410 });
  house.later(71 * 60 - 1);
  expect(await open(usual.token)).toMatchObject({ status: 200 });
  house.later(1);
  expect(await open(usual.token)).toMatchObject({
    status: 410,
    body: {
      title: 'It looks like your access to this form has expried. Please ask the patient to share the form again.',
    },
  });
});

test('taken back, it opens nothing any more', async () => {
  const share = await made();
  const gone = await house.call(sharing.revokeShare, { params: { token: form.token, shareId: share.id } }, nobody);
  expect(gone.body.revokedAt).toBe('2026-03-02T15:00:00.000Z');
  expect(await open(share.token)).toMatchObject({ status: 410, body: { code: 'share_over' } });
  expect((await list())[0]?.opened).toEqual([]);
});

test('guessed, empty or cut tokens were never there; nor is one at another office', async () => {
  const share = await made();
  for (const token of ['', 'A'.repeat(32), share.token.slice(0, -1), `${share.token}A`, form.token, '../..'])
    expect(await open(token)).toMatchObject({ status: 404, body: { code: 'share_not_found' } });
  expect(await open(share.token, { office: house.other.npi })).toMatchObject({ status: 404 });
});

test('only forms of this very visit are shared, and only submitted ones', async () => {
  const other = await submittedForm(house, { office });
  expect(await make({ submissionIds: [other.submissionId] })).toMatchObject({ status: 404 });
  expect(await make({ submissionIds: ['019f1111-1111-7111-8111-111111111111'] })).toMatchObject({ status: 404 });
  expect(await make({ submissionIds: [] })).toMatchObject({ status: 400 });
  expect(await make({ hours: 721 })).toMatchObject({ status: 400 });
  const share = await made();
  expect(await openForm(share.token, other.submissionId)).toMatchObject({ status: 404 });
});

test('another visit neither sees nor takes back the link', async () => {
  const share = await made();
  const other = await house.visit({ office });
  expect(await list(other.token)).toEqual([]);
  const tried = await house.call(sharing.revokeShare, { params: { token: other.token, shareId: share.id } }, nobody);
  expect(tried).toMatchObject({ status: 404, body: { code: 'share_not_found' } });
  expect(await open(share.token)).toMatchObject({ status: 200 });
});

test('the token is kept as its hash only, and every look stands in the record', async () => {
  const share = await made();
  await open(share.token);
  await openForm(share.token);
  const rows = await house.inOffice(office, (tx) => tx.selectFrom('shareLink').selectAll().execute());
  expect(JSON.stringify(rows)).not.toContain(share.token);
  const actions = (await house.record(office))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('share'));
  expect(actions).toEqual(['share.make', 'share.open', 'share.open-form']);
});
