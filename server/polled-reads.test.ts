import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  ambuCallbacks,
  ambuPatients,
  conversations,
  copay,
  directory,
  episode,
  formsDesk,
  formsFilling,
  sharing,
  sms,
  smsCheckin,
  transactions,
} from '#contract/index.ts';
import { insertOperation } from '#server/kit/provider-operations/sql.ts';
import { openTestApp, type CallOptions, type Reply } from '#testing/app/test-app.ts';
import { activePatient, loadSurveys } from '#testing/fixtures/episodes.ts';
import { requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { makeCard, payingOffice, requestOn } from '#testing/fixtures/payments.ts';
import { addText, patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

/** An office with one of everything that screens read again and again. */
async function practice() {
  const office = await payingOffice(t);
  await requestForms(t, office);
  const form = await submittedForm(t, { office });
  const payment = await requestOn(t, office);
  const patient = await activePatient(t, { office });
  await patient.callMe();
  const expected = await t.call(smsCheckin.addCheckin, { body: { phone: phone() } }, { as: office });
  expect(expected.status).toBe(200);
  const { body } = await t.call(directory.searchPatients, { body: {} }, { as: office });
  const share = () =>
    t.call(
      sharing.makeShare,
      { params: { token: form.token }, body: { sharedWith: 'Elm School', submissionIds: [form.submissionId] } },
      { as: null },
    );
  await share();
  const { body: list } = await t.call(formsDesk.searchForms, { body: {} }, { as: office });
  const formKey = list.forms[0]?.objectKey ?? '';
  return {
    office,
    formKey,
    form,
    payment,
    patient,
    share,
    listed: body.patients.find(({ name }) => name === 'Ada Byron'),
  };
}

let phones = 0;
const phone = () => `+1718555${String(3000 + ++phones)}`;

let ours: Awaited<ReturnType<typeof practice>>;
let theirs: Awaited<ReturnType<typeof practice>>;
beforeAll(async () => {
  await loadSurveys(t);
  ours = await practice();
  theirs = await practice();
});
beforeEach(async () => void (await t.owner.deleteFrom('rateLimit').execute()));

type Practice = typeof ours;
type ReadCall = (of: Practice, options: CallOptions) => Promise<Reply<unknown>>;

const visit = ({ office }: Practice) => t.visit({ office, phone: phone() });
const ended = ({ office }: Practice) => t.visit({ office, phone: phone(), moves: ['remove'] });
const expects = ({ office }: Practice) => t.call(smsCheckin.addCheckin, { body: { phone: phone() } }, { as: office });
const pays = ({ office }: Practice) => requestOn(t, office);
const files = ({ office }: Practice) => submittedForm(t, { office, phone: phone() });
const shares = ({ share }: Practice) => share();
const joins = ({ office }: Practice) => activePatient(t, { office });
const calls = async (of: Practice) => (await joins(of)).callMe();
const writes = ({ office }: Practice) => patientTexts(t, phone(), 'Do you take walk-ins?', { office });
const today = '2026-03-02';

/** What each screen reads again every 20 s, and a change that it shows. */
const polled: [string, ReadCall, (of: Practice) => Promise<unknown>][] = [
  [
    "the phone's forms",
    ({ form }, o) => t.call(formsFilling.listVisitForms, { params: { token: form.token } }, { ...o, as: null }),
    ({ office, form }) =>
      t.inOffice(office, (tx) =>
        tx.updateTable('visitMember').set({ firstName: 'Augusta' }).where('id', '=', form.memberId).execute(),
      ),
  ],
  [
    "the phone's links",
    ({ form }, o) => t.call(sharing.listShares, { params: { token: form.token } }, { ...o, as: null }),
    shares,
  ],
  ["a form's links", ({ formKey }, o) => t.call(sharing.listFormShares, { query: { key: formKey } }, o), shares],
  ["a patient's episode", ({ patient }, o) => episodeOf(patient.token, o), ({ patient }) => patient.decline()],
  ['the payments', (_, o) => t.call(transactions.searchTransactions, { body: { status: 'all' } }, o), pays],
  ['the payments by GET', (_, o) => t.call(transactions.listTransactions, { query: {} }, o), pays],
  ['the totals', (_, o) => t.call(transactions.totalTransactions, { body: {} }, o), pays],
  ["a day's payments", (_, o) => t.call(transactions.readDayReport, { query: { day: today } }, o), payCopay],
  ['the open questions', (_, o) => t.call(transactions.listOpenQuestions, {}, o), isUnclear],
  ['the number of open questions', (_, o) => t.call(transactions.countOpenQuestions, {}, o), isUnclear],
  [
    'one payment',
    ({ payment }, o) => t.call(copay.readPayment, { params: { chargeId: payment.chargeId } }, o),
    ({ office, payment: { chargeId } }) =>
      t.call(
        copay.voidPayment,
        { params: { chargeId }, body: { move: 'withdraw', reason: 'Paid in cash' } },
        { as: office },
      ),
  ],
  [
    'the outbox',
    (_, o) => t.call(sms.listOutbox, { query: {} }, o),
    ({ office }) => addText(t, { office, toPhone: phone() }),
  ],
  [
    'a search in the outbox',
    (_, o) => t.call(sms.searchOutbox, { body: { search: '555' } }, o),
    ({ office }) => addText(t, { office, toPhone: phone() }),
  ],
  ['the directory', (_, o) => t.call(directory.searchPatients, { body: {} }, o), visit],
  ['a search in the directory', (_, o) => t.call(directory.searchPatients, { body: { search: 'ada' } }, o), visit],
  [
    'a patient',
    ({ listed }, o) => t.call(directory.readPatient, { params: { patientId: listed?.id ?? '' } }, o),
    ({ office, form }) => patientTexts(t, form.username, 'We are late', { office }),
  ],
  ['the patients after a surgery', (_, o) => t.call(ambuPatients.searchAmbuPatients, { body: {} }, o), joins],
  [
    'a patient after a surgery',
    ({ patient }, o) => t.call(ambuPatients.readAmbuPatient, { params: patient.key }, o),
    ({ office, patient }) =>
      t.call(ambuPatients.saveAmbuNotes, { params: patient.key, body: { notes: 'Walks again' } }, { as: office }),
  ],
  ['the callbacks', (_, o) => t.call(ambuCallbacks.listCallbacks, { query: {} }, o), calls],
  ['the number of callbacks', (_, o) => t.call(ambuCallbacks.readCallbackCount, {}, o), calls],
  [
    'who is expected',
    ({ office: { npi } }, o) => t.call(smsCheckin.listExpected, { params: { officeId: npi } }, o),
    expects,
  ],
  [
    'who has checked in',
    ({ office: { npi } }, o) => t.call(smsCheckin.listSmsCheckins, { params: { officeId: npi } }, o),
    visit,
  ],
  [
    'the history',
    ({ office: { npi } }, o) =>
      t.call(smsCheckin.listSmsHistory, { params: { officeId: npi, date: today.replaceAll('-', '') } }, o),
    ended,
  ],
  ['the forms', (_, o) => t.call(formsDesk.searchForms, { body: {} }, o), files],
  [
    'the forms of a visit',
    ({ form }, o) => t.call(formsDesk.searchForms, { body: { visitId: form.visit.id } }, o),
    ({ office, form }) =>
      t.inOffice(office, (tx) =>
        tx.updateTable('visitMember').set({ birthDate: '1991-12-10' }).where('id', '=', form.memberId).execute(),
      ),
  ],
  [
    'whether a form was sent',
    ({ formKey }, o) => t.call(formsDesk.readFormDelivery, { query: { key: formKey } }, o),
    ({ office, form: { submissionId } }) =>
      t.inOffice(office, (tx) =>
        insertOperation(tx, {
          officeId: office.id,
          id: t.services.id(),
          kind: 'fhir.form',
          subject: `fhir ${submissionId}`,
          input: '{}',
          startedAt: t.now(),
          leaseUntil: t.now(),
        }),
      ),
  ],
  ['the numbers of forms', (_, o) => t.call(formsDesk.countForms, { body: {} }, o), files],
  ['a search in the inbox', (_, o) => t.call(conversations.searchInbox, { body: { search: '555' } }, o), writes],
];

const episodeOf = (token: string, options: CallOptions) =>
  t.call(episode.readEpisode, { params: { token } }, { ...options, as: null });

async function payCopay(of: Practice): Promise<void> {
  const { token, chargeId } = await pays(of);
  const body = { paymentId: chargeId, card: await makeCard(t) };
  expect((await t.call(copay.payCopay, { params: { token }, body }, { as: null })).status).toBe(200);
}
/** A payment of which the provider could not say whether it happened. */
async function isUnclear(of: Practice): Promise<void> {
  const { chargeId } = await pays(of);
  await t.inOffice(of.office, (tx) =>
    tx.updateTable('payment').set({ state: 'UNKNOWN', claimedAt: t.now() }).where('id', '=', chargeId).execute(),
  );
}

test.each(polled)(
  '%s is read again for a 304 and no audit entry until the office changes it',
  async (_, read, change) => {
    const { office } = ours;
    const first = await read(ours, { as: office });
    expect(first).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"[\w-]{22}"$/) as unknown } });
    const headers = { 'if-none-match': String(first.headers.etag) };
    const again = () => read(ours, { as: office, headers });
    const entries = (await t.auditEntries(office)).length;

    expect(await again()).toMatchObject({ status: 304, body: '' });
    await change(theirs);
    expect((await again()).status).toBe(304);
    expect(await t.auditEntries(office)).toHaveLength(entries);

    await change(ours);
    const changed = await again();
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(first.headers.etag);
    expect((await read(ours, { as: office, headers: { 'if-none-match': String(changed.headers.etag) } })).status).toBe(
      304,
    );
  },
);

test('nobody can test a guess at an answer: its ETag is keyed, of one session and of one question', async () => {
  const search = (words: string, as: CallOptions['as'], etag?: string) =>
    t.call(
      directory.searchPatients,
      { body: { search: words } },
      { as: as ?? null, ...(etag && { headers: { 'if-none-match': etag } }) },
    );
  const { office } = ours;
  const { body, headers } = await search('nobody', office);
  const guess = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  expect((await search('nobody', office, `"${guess}"`)).status).toBe(200);
  // The answer to other words, and the one in another session, is the same: empty.
  const etag = String(headers.etag);
  expect((await search('nobody', office, etag)).status).toBe(304);
  expect((await search('somebody', office, etag)).status).toBe(200);
  const otherSession = { token: await t.signIn(office.personId) };
  expect((await search('nobody', otherSession, etag)).status).toBe(200);
});

test("another office's ETag does not hide an office's own answer", async () => {
  const read = (of: Practice, headers = {}) =>
    t.call(directory.searchPatients, { body: { search: 'ada' } }, { as: of.office, headers });
  const { etag } = (await read(theirs)).headers;
  expect((await read(ours, { 'if-none-match': String(etag) })).status).toBe(200);
});

test('the clock of an answer does not change its ETag', async () => {
  const { office, patient } = theirs;
  const reads = [
    () => episodeOf(patient.token, {}),
    () => t.call(ambuCallbacks.listCallbacks, { query: {} }, { as: office }),
    () => t.call(ambuPatients.searchAmbuPatients, { body: {} }, { as: office }),
  ];
  const etags = async () => Promise.all(reads.map(async (read) => (await read()).headers.etag));
  const before = await etags();
  t.later(1);
  expect(await etags()).toEqual(before);
});
