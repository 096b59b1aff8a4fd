import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { conversations, copay, patient, queue, smsCheckin } from '#contract/index.ts';
import { saveQueueSettings, queueSettingsDefault } from '#contract/practice/office.ts';
import { applyQueueChanges } from '#contract/queue-changes.ts';
import type { QueueChanges, QueueEntry } from '#contract/queue.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { openVisitPhone, requestForms } from '#testing/fixtures/forms.ts';
import { payingOffice } from '#testing/fixtures/payments.ts';
import { propertySeed } from '#testing/fixtures/property-seed.ts';
import { carrierReports, patientTexts, sendDueTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());
let office: TestOffice;
beforeEach(async () => {
  t.at('2026-03-02T15:00:00.000Z');
  office = await t.office();
});

const changes = (since?: string, headers: Record<string, string> = {}, as: TestOffice | null = office) =>
  t.call(queue.listQueueChanges, { query: { since } }, { as, headers });
const whole = async (as = office) => (await t.call(queue.listQueue, { query: {} }, { as })).body;
const reads = async () => (await t.auditEntries(office)).filter(({ action }) => action === 'queue.read').length;
const move = (id: string, action: 'INVITED' | 'DOCTOR_CANCELLED' | 'BACK') =>
  t.call(queue.moveVisit, { body: { id, action } }, { as: office });
const version = async () => (await changes()).body.version;

/** A desk that keeps the queue and asks for what changed. */
function openPanel(as: TestOffice) {
  let list: QueueEntry[] = [];
  let since: string | undefined;
  return {
    async read(): Promise<QueueChanges> {
      const { status, body } = await changes(since, {}, as);
      expect(status).toBe(200);
      since = body.version;
      list = applyQueueChanges(list, body);
      return body;
    },
    shown: () => list,
  };
}

describe('what changed since a version', () => {
  test('without a version it is the whole queue', async () => {
    const visit = await t.visit({ office });
    const { body } = await changes();
    expect(body).toEqual({ version: body.version, isWhole: true, visits: await whole(), after: {}, removed: [] });
    expect(body.visits[0]?.id).toBe(visit.id);
  });

  test('the answer has only the visits that changed', async () => {
    await t.visit({ office });
    const moved = await t.visit({ office });
    const since = await version();
    await move(moved.id, 'INVITED');
    const arrived = await t.visit({ office });
    const { body } = await changes(since);
    expect(body.isWhole).toBe(false);
    expect(body.visits.map(({ id, statusCode }) => [id, statusCode])).toEqual([
      [moved.id, 'INVITED'],
      [arrived.id, 'WAITING'],
    ]);
    expect(body.after[arrived.id]).toBe(moved.id);
  });

  test('an unchanged queue is nothing, and then a 304 without an audit entry', async () => {
    await t.visit({ office });
    const since = await version();
    const before = await reads();
    const { body, headers } = await changes(since);
    expect(body).toEqual({ version: since, isWhole: false, visits: [], after: {}, removed: [] });
    expect((await changes(since, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    expect((await changes(since, { 'if-none-match': `W/${String(headers.etag)}` })).status).toBe(304);
    expect(await reads()).toBe(before);
  });

  test('visits that somebody reads are in the audit log', async () => {
    const since = await version();
    await t.visit({ office });
    const before = await reads();
    await changes(since);
    expect(await reads()).toBe(before + 1);
  });

  test.each([
    ['a word', () => 'yesterday'],
    ['a version that was never reached', (known: string) => known.replace(/\d+cd$/, '999cd')],
    ["another day's version", (known: string) => known.replace('2026-03-02', '2026-03-01')],
    ["another office's version", (known: string) => known.replace(office.id, t.other.id)],
    ['a number too long to be one', (known: string) => known.replace(/\d+cd$/, `${'9'.repeat(30)}cd`)],
  ])('%s instead of a version gets the whole queue', async (_what, otherThan) => {
    const visit = await t.visit({ office });
    const { status, body } = await changes(otherThan(await version()));
    expect([status, body.isWhole, body.visits.map(({ id }) => id)]).toEqual([200, true, [visit.id]]);
  });

  test('a panel that missed more than is remembered gets the whole queue, and follows again from there', async () => {
    const visit = await t.visit({ office });
    const since = await version();
    await t.inOffice(office, async (tx) => {
      for (let i = 0; i < 64; i++) await bumpQueue(tx, office.id, '2026-03-02', [visit.id]);
    });
    expect((await changes(since)).body.isWhole).toBe(false);
    await t.inOffice(office, (tx) => bumpQueue(tx, office.id, '2026-03-02', [visit.id]));
    const late = (await changes(since)).body;
    expect(late.isWhole).toBe(true);
    await move(visit.id, 'INVITED');
    expect((await changes(late.version)).body).toMatchObject({ isWhole: false, visits: [{ statusCode: 'INVITED' }] });
  });

  test('after a process of an older version raised the version, panels get the whole queue once', async () => {
    const visit = await t.visit({ office });
    const since = await version();
    await t.inOffice(office, (tx) =>
      tx
        .updateTable('queueVersion')
        .set((row) => ({ version: row('version', '+', 1) }))
        .where('officeId', '=', office.id)
        .execute(),
    );
    const first = (await changes(since)).body;
    expect(first.isWhole).toBe(true);
    await move(visit.id, 'INVITED');
    expect((await changes(since)).body.isWhole).toBe(true);
    expect((await changes(first.version)).body.isWhole).toBe(false);
  });

  test('a change of the settings is a change of every visit', async () => {
    await t.visit({ office });
    const since = await version();
    await t.call(
      saveQueueSettings,
      { body: { ...queueSettingsDefault, autoInviteEnabled: true, autoInviteWaitTime: 600 } },
      { as: office },
    );
    expect((await changes(since)).body.isWhole).toBe(true);
  });

  test('at midnight the new day is read as a whole', async () => {
    await t.visit({ office });
    const since = await version();
    t.at('2026-03-03T15:00:00.000Z');
    expect((await changes(since)).body).toMatchObject({ isWhole: true, visits: [] });
  });

  test('a form changes the card of its visit when it is begun and when it is submitted', async () => {
    const definitionId = (await requestForms(t, office))['arrival'] ?? '';
    const visit = await t.visit({ office });
    const phone = openVisitPhone(t, visit.token);
    const memberId = await phone.first();
    const before = await version();
    await phone.save(memberId, { definitionId });
    const begun = (await changes(before)).body;
    expect(begun.visits).toMatchObject([{ id: visit.id, forms: [{ started: 1, done: 0 }] }]);
    await phone.submit(memberId, 1);
    const submitted = (await changes(begun.version)).body;
    expect(submitted.visits).toMatchObject([{ id: visit.id, forms: [{ started: 0, done: 1 }] }]);
  });

  test('a STOP changes all cards of its number', async () => {
    const phone = '+16465551200';
    const left = await t.visit({ office, phone, moves: ['invite', 'finish'] });
    const back = await t.visit({ office, phone });
    const since = await version();
    await patientTexts(t, phone, 'STOP', { office });
    const { visits } = (await changes(since)).body;
    expect(visits.map(({ id, textBlock }) => [id, textBlock])).toEqual([
      [left.id, 'opted-out'],
      [back.id, 'opted-out'],
    ]);
  });

  test('a landline changes the cards of its number, also in the history', async () => {
    const phone = '+12025550004';
    const left = await t.visit({ office, phone, moves: ['invite', 'finish'] });
    const since = await version();
    await sendDueTexts(t.services);
    const { visits } = (await changes(since)).body;
    expect(visits.map(({ id, textBlock }) => [id, textBlock])).toEqual([[left.id, 'landline']]);
  });
});

describe('who may ask', () => {
  test('nobody gets changes of another office', async () => {
    const since = await version();
    await t.visit({ office: t.other, firstName: 'CANARY' });
    expect((await changes(since)).body).toMatchObject({ visits: [], removed: [] });
    expect((await changes(since, { 'x-office': t.other.id })).status).toBe(404);
    const { body } = await changes(since, {}, t.other);
    expect(body.isWhole).toBe(true);
  });

  test('a visit of another office that is named as changed is not shown', async () => {
    await t.visit({ office });
    const since = await version();
    const foreign = await t.visit({ office: t.other, firstName: 'CANARY' });
    await t.inOffice(office, (tx) => bumpQueue(tx, office.id, '2026-03-02', [foreign.id]));
    expect((await changes(since)).body).toMatchObject({ isWhole: false, visits: [], removed: [foreign.id] });
  });

  test('a correct ETag does not answer a caller who may not see the queue', async () => {
    const { headers } = await changes();
    const asked = { 'if-none-match': String(headers.etag) };
    expect((await changes(undefined, asked, null)).status).toBe(401);
    expect((await changes(undefined, asked, t.other)).status).toBe(200);
  });
});

describe('panels that read at any time', () => {
  const phones = ['+12025550003', '+12025550004', '+16465551302', '+16465551303', '+16465551304'];
  interface Morning {
    office: TestOffice;
    visits: { id: string; phone: string; token: string; userCode: string }[];
    charges: { visit: string; chargeId: string }[];
  }
  type Step = (m: Morning, n: number) => Promise<unknown>;
  const visitOf = ({ visits }: Morning, n: number) => visits[n % visits.length];
  const phoneOf = (n: number) => phones[n % phones.length] ?? '';
  const withVisit =
    (act: (visit: Morning['visits'][number], m: Morning, n: number) => Promise<unknown>): Step =>
    async (m, n) => {
      const visit = visitOf(m, n);
      if (visit) await act(visit, m, n);
    };
  const staff = (action: 'INVITED' | 'REINVITED' | 'DOCTOR_CANCELLED' | 'BACK' | 'WAITING') =>
    withVisit(({ id }, m) => t.call(queue.moveVisit, { body: { id, action } }, { as: m.office }));
  const byPatient = (action: 'onMyWay' | 'imIn' | 'cancel' | 'stillWaiting') =>
    withVisit(({ token }) => t.call(patient.movePatientVisit, { params: { token }, body: { action } }, { as: null }));

  const steps: Record<string, Step> = {
    async 'a patient arrives'(m, n) {
      const {
        id,
        token: _unproved,
        patientUserCode: userCode,
      } = await t
        .visit({
          office: m.office,
          phone: phoneOf(n),
          household: n % 3 === 0 ? [{ firstName: 'Zoë', lastName: 'Byron', birthDate: '2020-02-29' }] : [],
        })
        .catch(() => ({ id: '', token: '', patientUserCode: '' }));
      if (id) m.visits.push({ id, phone: phoneOf(n), token: await t.provedToken(id, m.office), userCode });
    },
    async 'a patient is expected'(m, n) {
      const { status, body } = await t.call(smsCheckin.addCheckin, { body: { phone: phoneOf(n) } }, { as: m.office });
      if (status === 200)
        m.visits.push({
          id: body._id,
          phone: phoneOf(n),
          token: await t.provedToken(body._id, m.office),
          userCode: '',
        });
    },
    invite: staff('INVITED'),
    reinvite: staff('REINVITED'),
    finish: staff('DOCTOR_CANCELLED'),
    'move back': staff('BACK'),
    'mark arrived': staff('WAITING'),
    'on my way': byPatient('onMyWay'),
    "I'm in": byPatient('imIn'),
    cancel: byPatient('cancel'),
    'still waiting': byPatient('stillWaiting'),
    'the phone opens the page': withVisit(({ token }) =>
      t.call(patient.readPatientVisit, { params: { token } }, { as: null }),
    ),
    Spanish: withVisit(({ token }, _m, n) =>
      t.call(patient.setPatientLanguage, { params: { token }, body: { language: n % 2 ? 'es' : 'en' } }, { as: null }),
    ),
    'the desk writes': withVisit(({ userCode }, m) =>
      t.call(queue.messagePatient, { params: { userCode }, body: { body: 'Soon' } }, { as: m.office }),
    ),
    'the patient texts': (m, n) => patientTexts(t, phoneOf(n), 'Which door?', { office: m.office }),
    'the patient texts STOP or START': (m, n) =>
      patientTexts(t, phoneOf(n), n % 2 ? 'STOP' : 'START', { office: m.office }),
    'the desk reads': withVisit(async ({ id }, m) => {
      const { body } = await t.call(queue.readVisit, { params: { visitId: id } }, { as: m.office });
      if (!body.newestReply) return;
      const { conversationId, sequence } = body.newestReply;
      await t.call(
        conversations.markConversationRead,
        { params: { id: conversationId }, body: { sequence } },
        { as: m.office },
      );
    }),
    'texts leave and the carrier reports': async () => {
      await sendDueTexts(t.services);
      await carrierReports(t);
    },
    'a payment is requested and withdrawn': withVisit(async ({ id }, m, n) => {
      const open = m.charges.find(({ visit }) => visit === id);
      if (open && n % 2)
        return t.call(
          copay.voidPayment,
          { params: { chargeId: open.chargeId }, body: { move: 'withdraw', reason: 'Paid in cash' } },
          { as: m.office },
        );
      const { status, body } = await t.call(
        copay.requestPayment,
        { body: { visitId: id, copay: 2_000 } },
        { as: m.office },
      );
      if (status === 200) m.charges.push({ visit: id, chargeId: body.chargeId });
    }),
    async 'auto-invite is switched'(m, n) {
      await t.call(
        saveQueueSettings,
        {
          body: {
            ...queueSettingsDefault,
            autoInviteEnabled: n % 2 === 0,
            autoInviteWaitTime: 600,
            autoInviteFrom: 'waiting',
          },
        },
        { as: m.office },
      );
    },
    async 'another office is busy'() {
      await t.visit({ office: t.other }).catch(() => undefined);
    },
  };

  test('after any changes, what they put together is what the whole queue shows', { timeout: 120_000 }, async () => {
    const of = await payingOffice(t);
    const names = Object.keys(steps);
    let days = 0;
    const often = ['a patient arrives', 'invite', 'finish', 'move back'];
    const step = fc.record({
      name: fc.constantFrom(...names, ...often),
      n: fc.nat(97),
      later: fc.constantFrom(0, 0, 1),
      reads: fc.subarray([0, 1, 2], { minLength: 0 }),
    });
    const seen = { deltas: 0, wholes: 0, removed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (morning) => {
        // A day of its own: what was left open on the days before is there too.
        t.at(new Date(Date.UTC(2026, 2, 2 + days++, 15)));
        const m: Morning = { office: of, visits: [], charges: [] };
        const panels = [openPanel(of), openPanel(of), openPanel(of)];
        for (const { name, n, later, reads } of morning) {
          t.later(later);
          await steps[name]?.(m, n);
          for (const i of reads) {
            const answer = await panels[i]?.read();
            seen[answer?.isWhole ? 'wholes' : 'deltas']++;
            seen.removed += answer?.removed.length ?? 0;
            expect(panels[i]?.shown(), `after "${name}"`).toEqual(await whole(of));
          }
        }
        for (const panel of panels) {
          await panel.read();
          expect(panel.shown()).toEqual(await whole(of));
        }
      }),
      { seed: propertySeed(), numRuns: 12 },
    );
    expect(seen.deltas).toBeGreaterThan(seen.wholes);
    expect(seen.removed).toBeGreaterThan(0);
  });
});
