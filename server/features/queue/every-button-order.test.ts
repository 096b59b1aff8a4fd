import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { patient, queue, smsCheckin } from '#contract/index.ts';
import { mayMove, moves, statusAfter, visitStatuses, type Move, type VisitStatus } from '#contract/queue.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { expectedMoves, expectedTextingMoves } from '#testing/fixtures/expected-moves.ts';
import { inviteDueVisits } from './jobs.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

test('the contract’s table of moves matches the specified one, state by state', () => {
  expect(Object.keys(moves).sort()).toEqual(Object.keys(expectedMoves).sort());
  for (const [name, edges] of Object.entries(expectedMoves)) {
    const move = name as Move;
    expect('texts' in moves[move], `${move} texts`).toBe(expectedTextingMoves.includes(move));
    for (const from of visitStatuses) {
      const to = edges[from];
      expect(mayMove({ statusCode: from }, move), `${move} from ${from}`).toBe(to !== undefined);
      if (to === undefined) continue;
      const before = 'GOING';
      expect(statusAfter({ statusCode: from, statusBefore: before }, move)).toBe(
        to === 'the state it had' ? before : to,
      );
    }
  }
});

interface Visit {
  id: string;
  token: string;
  status: VisitStatus;
  before: VisitStatus | null;
  texts: number;
}

/** Every button: the call, and the settled move it makes in the visit's current state. */
const presses = {
  invite: { as: () => 'invite', call: (v) => staff(v, 'INVITED') },
  reinvite: { as: (s) => (s === 'GOING' ? 'remind' : 'reinvite'), call: (v) => staff(v, 'REINVITED') },
  'move to history': { as: (s) => endingOf(s), call: (v) => staff(v, 'DOCTOR_CANCELLED') },
  'mark arrived': { as: () => 'arrive', call: (v) => staff(v, 'WAITING') },
  'move back': { as: () => 'moveBack', call: (v) => staff(v, 'BACK') },
  'SMS: invite in': { as: () => 'invite', call: (v) => sms(v, 'ENTER') },
  'SMS: move to history': { as: (s) => endingOf(s), call: (v) => sms(v, 'HISTORY') },
  'SMS: reinvite': {
    as: (s) => (s === 'GOING' ? 'remind' : 'reinvite'),
    call: (v) => testApp.call(smsCheckin.reinviteCheckin, { body: { id: v.id } }),
  },
  'on my way': { as: () => 'onMyWay', call: (v) => phone(v, 'onMyWay') },
  "I'm in": { as: () => 'imIn', call: (v) => phone(v, 'imIn') },
  cancel: { as: () => 'cancel', call: (v) => phone(v, 'cancel') },
  "I'm here": {
    as: () => 'arrive',
    call: (v) =>
      testApp.call(
        patient.arriveExpected,
        {
          params: { token: v.token },
          body: { firstName: 'A', lastName: 'B', birthDate: '1990-01-01', household: [], language: 'en' },
        },
        { as: null },
      ),
  },
} satisfies Record<
  string,
  { as: (status: VisitStatus) => string; call: (visit: Visit) => Promise<{ status: number }> }
>;
const endingOf = (status: VisitStatus) => (status === 'WAITING' || status === 'EXPECTED' ? 'remove' : 'finish');
const staff = (v: Visit, action: 'INVITED' | 'REINVITED' | 'DOCTOR_CANCELLED' | 'WAITING' | 'BACK') =>
  testApp.call(queue.moveVisit, { body: { id: v.id, action } });
const sms = (v: Visit, status: 'ENTER' | 'HISTORY') =>
  testApp.call(smsCheckin.updateCheckin, { body: { id: v.id, status } });
const phone = (v: Visit, action: 'onMyWay' | 'imIn' | 'cancel') =>
  testApp.call(patient.movePatientVisit, { params: { token: v.token }, body: { action } }, { as: null });

async function newVisit(start: 'EXPECTED' | 'WAITING'): Promise<Visit> {
  if (start === 'WAITING') {
    const { id } = await testApp.visit();
    // A link as texted: an unproved token may not press "I'm here" at all.
    return { id, token: await testApp.provedToken(id), status: start, before: null, texts: 0 };
  }
  const number = `+13035550${String(100 + expectedSoFar++)}`;
  const { body } = await testApp.call(smsCheckin.addCheckin, { body: { phone: number } });
  const [text] = (await testApp.texts()).filter(({ visitId }) => visitId === body._id);
  return { id: body._id, token: /[\w-]+$/.exec(text?.sent ?? '')?.[0] ?? '', status: start, before: null, texts: 1 };
}
let expectedSoFar = 0;

test('in any order of button presses, a visit takes only settled steps and sends only their texts', async () => {
  const taken = new Set<string>();
  let refused = 0;
  const names = Object.keys(presses) as (keyof typeof presses)[];
  // Moves that end a visit are pressed less often, or most walks would be short.
  const often = names.filter((name) => name !== 'cancel' && name !== "I'm in");
  const walk = fc.array(fc.constantFrom(...often, ...often, ...often, ...names), { minLength: 6, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('EXPECTED', 'WAITING'), walk, async (start, pressed) => {
      const visit = await newVisit(start);
      for (const name of pressed) {
        const press = presses[name];
        const move = press.as(visit.status);
        const edge = expectedMoves[move]?.[visit.status];
        const answer = await press.call(visit);
        expect(answer.status, `${name} from ${visit.status}`).toBe(edge === undefined ? 409 : 200);
        if (edge === undefined) {
          refused++;
          continue;
        }
        taken.add(`${move} from ${visit.status}`);
        const to = edge === 'the state it had' ? (visit.before as VisitStatus) : edge;
        visit.before = to === 'DOCTOR_CANCELLED' || to === 'PATIENT_DONE' ? visit.status : null;
        visit.status = to;
        if (expectedTextingMoves.includes(move)) visit.texts++;
        await inviteDueVisits(testApp.services);
      }
      const { body } = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
      expect(body.visit.statusCode).toBe(visit.status);
      expect((await testApp.texts()).filter(({ visitId }) => visitId === visit.id)).toHaveLength(visit.texts);
      for (const { move, from, to } of body.history.slice(1)) {
        const edge = expectedMoves[move]?.[from as VisitStatus];
        expect(edge === 'the state it had' ? to : edge, `${move} from ${from}`).toBe(to);
      }
    }),
    { seed: 20260302, numRuns: 71, examples: [['WAITING', ['invite', "I'm in", 'move back']]] },
  );
  const settled = Object.entries(expectedMoves).flatMap(([move, edges]) =>
    Object.keys(edges).map((from) => `${move} from ${from}`),
  );
  expect([...taken].sort()).toEqual(settled.sort());
  expect(refused).toBeGreaterThan(100);
});
