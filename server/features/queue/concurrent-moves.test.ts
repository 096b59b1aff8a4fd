import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient, patientCheckIn, queue } from '#contract/index.ts';
import { saveQueueSettings } from '#contract/practice/office.ts';
import type { VisitStatus } from '#contract/queue.ts';
import { inviteDueVisits } from './jobs.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { expectedMoves } from '#testing/fixtures/expected-moves.ts';

const testApp = await openTestApp();
let second: TestApp;
beforeAll(async () => void (second = await openTestApp({ beside: testApp })));
afterAll(async () => {
  await second.close();
  await testApp.close();
});
const processes = () => [testApp, second] as const;
const done = async (visitId: string) =>
  (await testApp.auditEntries()).filter(
    (e) => e.subject === visitId && e.action === 'visit.move' && e.outcome === 'done',
  );

test('200 concurrent invites from two processes: one succeeds, the rest get the current visit, and one text is sent', async () => {
  const visit = await testApp.visit();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      (processes()[i % 2] as TestApp).call(queue.moveVisit, {
        body: { id: visit.id, action: 'INVITED', version: visit.version },
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(199);
  for (const { body } of refused)
    expect(body.current).toMatchObject({ id: visit.id, statusCode: 'INVITED', version: 2, actedBy: { kind: 'staff' } });
  expect((await testApp.texts()).filter(({ visitId }) => visitId === visit.id)).toHaveLength(1);
  expect(await done(visit.id)).toHaveLength(1);
});

test('200 concurrent different moves: each success is one step, one history entry and one audit entry', async () => {
  const visit = await testApp.visit();
  const actions = ['INVITED', 'REINVITED', 'DOCTOR_CANCELLED', 'BACK', 'onMyWay', 'imIn'] as const;
  const press = (at: TestApp, action: (typeof actions)[number]) =>
    action === 'onMyWay' || action === 'imIn'
      ? at.call(patient.movePatientVisit, { params: { token: visit.token }, body: { action } }, { as: null })
      : at.call(queue.moveVisit, { body: { id: visit.id, action } });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => press(processes()[i % 2] as TestApp, actions[(i * 7) % 6] as 'INVITED')),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const successes = answers.filter(({ status }) => status === 200).length;
  const { body } = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
  expect(body.visit.version).toBe(1 + successes);
  expect(body.history).toHaveLength(1 + successes);
  expect(await done(visit.id)).toHaveLength(successes);
  let status: VisitStatus = 'WAITING';
  for (const step of body.history.slice(1)) {
    expect(step.from).toBe(status);
    const edge = expectedMoves[step.move]?.[status];
    expect(edge, `${step.move} from ${status}`).toBeDefined();
    status = step.to;
  }
  const texted = body.history.filter(({ move }) => ['invite', 'reinvite', 'remind'].includes(move)).length;
  expect((await testApp.texts()).filter(({ visitId }) => visitId === visit.id)).toHaveLength(texted);
});

test('two phones of one number check in concurrently from two processes: one visit', async () => {
  const body = {
    firstName: 'Ada',
    lastName: 'Byron',
    phone: '(212) 555-0188',
    birthDate: '1990-12-10',
    household: [],
    language: 'en' as const,
  };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      (processes()[i % 2] as TestApp).call(
        patientCheckIn.checkIn,
        { params: { npi: testApp.maple.npi }, body },
        { as: null },
      ),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers.filter((a) => a.body.outcome === 'visit')).toHaveLength(1);
  const { body: list } = await testApp.call(queue.listQueue, { query: {} });
  expect(list.filter(({ username }) => username === '+12125550188')).toHaveLength(1);
});

test('saving settings while patients arrive, are invited and get messages does not deadlock', async () => {
  const office = await testApp.office();
  const visits = await Promise.all(Array.from({ length: 30 }, () => testApp.visit({ office })));
  const rule = (seconds: number) => ({
    autoInviteEnabled: seconds % 2 === 0,
    autoInviteWaitTime: seconds,
    lateMinutes: { WAITING: 10, INVITED: 15, GOING: 40 },
    openingHours: null,
    greeting: { en: '', es: '' },
  });
  const calls = visits.flatMap(({ id, token, patientUserCode }, i) => {
    const at = processes()[i % 2] as TestApp;
    return [
      at.call(saveQueueSettings, { body: rule(600 + i) }, { as: office }),
      at.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office }),
      at.call(queue.messagePatient, { params: { userCode: patientUserCode }, body: { body: 'Soon' } }, { as: office }),
      at.call(patient.readPatientVisit, { params: { token } }, { as: null }),
      at.call(patient.movePatientVisit, { params: { token }, body: { action: 'stillWaiting' } }, { as: null }),
      at.call(queue.listQueue, { query: {} }, { as: office }),
    ];
  });
  const answers: { status: number }[] = await Promise.all([
    ...calls,
    inviteDueVisits(testApp.services).then(() => ({ status: 200 })),
  ]);
  expect(new Set(answers.map(({ status }) => status)).has(500)).toBe(false);
  expect(new Set(answers.map(({ status }) => status)).has(503)).toBe(false);

  // The cached answer was requested all the while; the last one must match the rows.
  const { body: shown } = await testApp.call(queue.listQueue, { query: {} }, { as: office });
  const rows = await testApp.inOffice(office, (tx) =>
    tx
      .selectFrom('queueEntry')
      .select('entry')
      .where('officeId', '=', office.id)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
  );
  expect(shown).toEqual(rows.map(({ entry }) => entry));
});
