import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';
import { resumable, resumeOperations, runOperation, type OperationKind } from './operations.ts';

const testApp = await openTestApp();
testApp.services.log.level = 'silent';
afterAll(() => testApp.close());

class NoCard extends Error {}
type Charge = OperationKind<{ cents: number }, { chargeId: string }>;

/** A provider that notes each call, and an operation on it that notes what was saved. */
function charging(answer: (calls: number) => Promise<string>, repeatable = true) {
  const calls: { id: string; cents: number }[] = [];
  const saved: string[] = [];
  const kind: Charge = {
    kind: `test.charge-${testApp.services.id()}`,
    repeatable,
    async call(_scope, { id, input }) {
      calls.push({ id, cents: input.cents });
      return { chargeId: await answer(calls.length) };
    },
    settle: async (_tx, _scope, _operation, { chargeId }) => void saved.push(chargeId),
    reasonOf: (error) => (error instanceof NoCard ? 'declined' : null),
    refuse: async (_tx, _scope, _operation, reason) => void saved.push(reason),
    giveUp: async () => void saved.push('unknown'),
  };
  return { kind, calls, saved };
}

const subjects = { next: 0 };
const newSubject = () => `payment ${++subjects.next}`;
const scope = () => testApp.scopeOf(testApp.maple);
const resume = (kind: Charge) => resumeOperations(testApp.services, [resumable(kind)]);
const timeout = () => Promise.reject(new Error('timeout'));

test('an operation calls the provider with its id outside any transaction, and saves the result', async () => {
  const { pool } = testApp.services;
  let openDuringCall = -1;
  const { kind, calls, saved } = charging(async () => {
    openDuringCall = pool.totalCount - pool.idleCount;
    return 'ch_1';
  });
  const outcome = await runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  expect(outcome).toEqual({ state: 'done', id: calls[0]?.id, result: { chargeId: 'ch_1' } });
  expect(saved).toEqual(['ch_1']);
  expect(openDuringCall, 'transactions open during the call').toBe(0);
});

test.each([
  ['is done', () => Promise.resolve('ch_1'), {}],
  ['is refused', () => Promise.reject(new NoCard()), {}],
  ['is still open', timeout, { cents: 500 }],
])('the input of an operation that %s: card tokens and names are not kept', async (_what, answer, input) => {
  const { kind } = charging(answer);
  await runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  const row = await testApp.owner
    .selectFrom('providerOperation')
    .select('input')
    .where('kind', '=', kind.kind)
    .executeTakeFirstOrThrow();
  expect(row.input).toEqual(input);
});

// The call takes a second: on a busy machine, a press that comes after it is another operation, rightly.
test('five presses at once are one call, and all get its result', async () => {
  const { kind, calls, saved } = charging(() => sleep(1_000, 'ch_1'));
  const operation = { subject: newSubject(), input: { cents: 500 } };
  // Each in a scope of its own, as requests have.
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => runOperation(scope(), kind, operation, 5_000)));
  expect(new Set(outcomes.map(({ state, id }) => `${state} ${id}`))).toEqual(new Set([`done ${calls[0]?.id}`]));
  expect(calls).toHaveLength(1);
  expect(saved).toEqual(['ch_1']);
});

test('an operation with another input waits for its turn on the same subject', async () => {
  const { kind, calls } = charging((n) => sleep(100, `ch_${n}`));
  const subject = newSubject();
  const one = runOperation(scope(), kind, { subject, input: { cents: 500 } });
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  const other = runOperation(scope(), kind, { subject, input: { cents: 700 } });
  expect([await one, await other]).toMatchObject([{ result: { chargeId: 'ch_1' } }, { result: { chargeId: 'ch_2' } }]);
  expect(calls.map(({ cents }) => cents)).toEqual([500, 700]);
});

test('an operation of another office on the same subject does not wait', async () => {
  const { kind, calls } = charging((n) => sleep(n === 1 ? 300 : 0, `ch_${n}`));
  const operation = { subject: newSubject(), input: { cents: 500 } };
  const slow = runOperation(scope(), kind, operation);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(await runOperation(testApp.scopeOf(testApp.other), kind, operation)).toMatchObject({ state: 'done' });
  await slow;
  expect(calls).toHaveLength(2);
});

test('a definite refusal ends the operation with its reason, and the next press calls again', async () => {
  const { kind, saved } = charging((n) => (n === 1 ? Promise.reject(new NoCard()) : Promise.resolve('ch_2')));
  const operation = { subject: newSubject(), input: { cents: 500 } };
  expect(await runOperation(scope(), kind, operation)).toMatchObject({ state: 'refused', reason: 'declined' });
  expect(await runOperation(scope(), kind, operation)).toMatchObject({ state: 'done' });
  expect(saved).toEqual(['declined', 'ch_2']);
});

test('after an unclear outcome, the job repeats the call with the same id and input', async () => {
  const { kind, calls, saved } = charging((n) => (n === 1 ? timeout() : Promise.resolve('ch_1')));
  const outcome = await runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  expect(outcome.state).toBe('open');
  await resume(kind);
  expect(calls).toHaveLength(1);
  testApp.later(1);
  await resume(kind);
  expect(calls[1]).toEqual(calls[0]);
  expect(saved).toEqual(['ch_1']);
});

test('an operation whose process died is not repeated before its kind allows it', async () => {
  const slow = Promise.withResolvers<string>();
  const { kind, calls, saved } = charging((n) => (n === 1 ? slow.promise : Promise.resolve('ch_2')));
  const patient = { ...kind, leastRetryMs: 120_000 };
  const first = runOperation(scope(), patient, { subject: newSubject(), input: { cents: 500 } });
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  testApp.later(1);
  await resume(patient);
  expect(calls).toHaveLength(1);
  testApp.later(1);
  await resume(patient);
  expect(calls).toHaveLength(2);
  slow.resolve('ch_1');
  await first;
  expect(saved).toEqual(['ch_2']);
});

test('two processes that go on with an abandoned operation settle it once', async () => {
  const { kind, saved } = charging((n) => (n === 1 ? timeout() : sleep(50, 'ch_1')));
  await runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  testApp.later(1);
  await Promise.all([resume(kind), resume(kind), resume(kind)]);
  expect(saved).toEqual(['ch_1']);
});

test('a call that answers after another process took over is settled once', async () => {
  const { kind, calls, saved } = charging((n) => sleep(n === 1 ? 200 : 0, 'ch_1'));
  const slow = runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  testApp.later(2);
  await resume(kind);
  await slow;
  expect(calls).toHaveLength(2);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  expect(saved).toEqual(['ch_1']);
});

test('a call that cannot be repeated is made once; its unclear outcome is for a person', async () => {
  const { kind, calls, saved } = charging(timeout, false);
  const outcome = await runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  expect(outcome.state).toBe('unknown');
  testApp.later(60);
  await resume(kind);
  expect([calls.length, saved]).toEqual([1, ['unknown']]);
});

test('an operation that stays unclear for 20 hours is for a person: the provider has forgotten its id', async () => {
  const { kind, calls, saved } = charging(timeout);
  await runOperation(scope(), kind, { subject: newSubject(), input: { cents: 500 } });
  testApp.later(21 * 60);
  await resume(kind);
  expect([calls.length, saved]).toEqual([1, ['unknown']]);
});
