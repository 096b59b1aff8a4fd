/**
 * Calls that change something at a provider: claim → commit → call → settle. No transaction is open during the call.
 *
 * operation: one such call, a row that is committed before the call. Its id is the provider's idempotency key.
 * subject: what the call is about, such as the office's plan. One operation at a time runs on one subject.
 * lease: how long a process may take. After it, another process takes the operation over with the same id and input.
 */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { isDatabaseAway, type Tx } from '#server/kit/db/db.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import {
  abandonedOperations,
  endOperation,
  insertOperation,
  lockRunningOperation,
  operationById,
  postponeOperation,
  takeOverOperation,
  type OperationRow,
} from './sql.ts';

/** What a provider is asked for. It comes from JSON: no dates, no undefined. */
export type OperationInput = Readonly<Record<string, string | number | boolean | null>>;

/** An operation as its kind sees it. `id` is the idempotency key. */
export interface Operation<Input> {
  id: string;
  input: Input;
}

/** How one kind of operation is called and finished. The result is stored as JSON. */
export interface OperationKind<Input extends OperationInput, Result> {
  /** Unique among all features, such as `card.customer`. */
  readonly kind: string;
  /** Whether the provider treats a repeated id as the same call. If not, it is called once, and an unclear outcome ends as `unknown`. */
  readonly repeatable: boolean;
  /** After an unclear outcome the provider is not called again for so long: what was slow may still be at work. Seconds without it. */
  readonly leastRetryMs?: number;
  /** Calls the provider, outside any transaction. Set a time limit below 45 seconds. */
  call(scope: OfficeScope, operation: Operation<Input>): Promise<Result>;
  /** Saves the result, in the transaction that ends the operation: exactly once. */
  settle(tx: Tx, scope: OfficeScope, operation: Operation<Input>, result: Result): Promise<void>;
  /**
   * Why the provider definitely did not do it, in one word; null if that is not certain (a timeout). Of a repeat (`isRepeat`) only what the
   * provider says about the operation itself is certain: not that it could not be reached, since the first call may have done it.
   */
  reasonOf(error: unknown, isRepeat: boolean): string | null;
  /** Saves a definite refusal, in the transaction that ends the operation. */
  refuse?(tx: Tx, scope: OfficeScope, operation: Operation<Input>, reason: string): Promise<void>;
  /** Saves that nobody can tell whether it happened: a person has to find out. */
  giveUp?(tx: Tx, scope: OfficeScope, operation: Operation<Input>): Promise<void>;
}

/** `open`: not ended yet; the job goes on with it. `unknown`: a person has to find out. */
export type OperationOutcome<Result> =
  | { state: 'done'; id: string; result: Result }
  | { state: 'refused'; id: string; reason: string }
  | { state: 'open' | 'unknown'; id: string };

const leaseMs = 60_000;
/** How long an operation is its process's own: a repeat after the process's end also waits as long as its kind wants. */
const leaseFrom = (now: Date, leastRetryMs = 0) => new Date(now.getTime() + Math.max(leaseMs, leastRetryMs));
const pollMs = 50;
/** Providers forget idempotency keys after 24 hours. */
const repeatableForMs = 20 * 3_600_000;

/**
 * Runs an operation to its end. A second caller with the same input waits and gets the same outcome, so a double press calls the provider
 * once; one with another input waits for its turn. Returns `open` if that takes longer than `waitMs`.
 */
export async function runOperation<Input extends OperationInput, Result>(
  scope: OfficeScope,
  kind: OperationKind<Input, Result>,
  { subject, input }: { subject: string; input: Input },
  waitMs = 10_000,
): Promise<OperationOutcome<Result>> {
  const until = Date.now() + waitMs;
  for (;;) {
    const { row, isMine } = await scope.transaction((tx) => claimOperation(tx, scope, kind, { subject, input }));
    const isSame = row.kind === kind.kind && isDeepStrictEqual(row.input, input);
    if (isMine) {
      const outcome = await finishOperation(scope, kind, row);
      if (isSame || outcome.state === 'open') return outcome;
      continue;
    }
    const ended = await waitForEnd(scope, row, until);
    if (!ended) return { state: 'open', id: row.id };
    if (isSame) return outcomeOf<Result>(ended);
  }
}

/** Inserts the operation, or takes over an abandoned one of the same kind; otherwise returns the one that runs. */
async function claimOperation(
  tx: Tx,
  scope: OfficeScope,
  { kind, leastRetryMs }: { kind: string; leastRetryMs?: number },
  { subject, input }: { subject: string; input: OperationInput },
): Promise<{ row: OperationRow; isMine: boolean }> {
  const { officeId } = scope;
  const now = scope.now();
  const leaseUntil = leaseFrom(now, leastRetryMs);
  const operation = {
    officeId,
    id: scope.id(),
    kind,
    subject,
    input: JSON.stringify(input),
    startedAt: now,
    leaseUntil,
  };
  for (;;) {
    const mine = await insertOperation(tx, operation);
    if (mine) return { row: mine, isMine: true };
    const running = await lockRunningOperation(tx, officeId, subject);
    if (!running) continue; // it ended between the two statements
    const takeover = running.kind === kind ? await takeOverOperation(tx, running, now, leaseUntil) : undefined;
    return takeover ? { row: takeover, isMine: true } : { row: running, isMine: false };
  }
}

async function waitForEnd(scope: OfficeScope, row: OperationRow, until: number): Promise<OperationRow | null> {
  while (Date.now() < until) {
    await sleep(pollMs);
    const current = await scope.transaction((tx) => operationById(tx, scope.officeId, row.id));
    if (current && current.state !== 'running') return current;
  }
  return null;
}

function outcomeOf<Result>({ state, id, result, reason }: OperationRow): OperationOutcome<Result> {
  if (state === 'done') return { state, id, result: result as Result };
  return state === 'refused' ? { state, id, reason: reason ?? '' } : { state: 'unknown', id };
}

/** Calls the provider and settles. An operation that another process settled meanwhile stays as it is. */
async function finishOperation<Input extends OperationInput, Result>(
  scope: OfficeScope,
  kind: OperationKind<Input, Result>,
  row: OperationRow,
): Promise<OperationOutcome<Result>> {
  const { id } = row;
  const operation = { id, input: row.input as unknown as Input };
  const isTooOld = scope.now().getTime() - row.startedAt.getTime() > repeatableForMs;
  if (row.tries > 1 && (!kind.repeatable || isTooOld)) return giveUp(scope, kind, operation);
  let result: Result;
  try {
    result = await kind.call(scope, operation);
  } catch (error) {
    const reason = kind.reasonOf(error, row.tries > 1);
    if (reason !== null) return refuse(scope, kind, operation, reason);
    scope.log.warn({ operation: id, kind: kind.kind, err: error }, 'the outcome of a call to a provider is unclear');
    if (!kind.repeatable) return giveUp(scope, kind, operation);
    const waitMs = Math.max(Math.min(2 ** row.tries, 900) * 1000, kind.leastRetryMs ?? 0);
    const retryAt = new Date(scope.now().getTime() + waitMs);
    await scope.transaction((tx) => postponeOperation(tx, { officeId: scope.officeId, id }, retryAt));
    return { state: 'open', id };
  }
  await end(scope, id, { state: 'done', result, reason: null }, (tx) => kind.settle(tx, scope, operation, result));
  return { state: 'done', id, result };
}

async function refuse<Input extends OperationInput, Result>(
  scope: OfficeScope,
  kind: OperationKind<Input, Result>,
  operation: Operation<Input>,
  reason: string,
): Promise<OperationOutcome<Result>> {
  await end(scope, operation.id, { state: 'refused', result: null, reason }, (tx) =>
    kind.refuse?.(tx, scope, operation, reason),
  );
  return { state: 'refused', id: operation.id, reason };
}

async function giveUp<Input extends OperationInput, Result>(
  scope: OfficeScope,
  kind: OperationKind<Input, Result>,
  operation: Operation<Input>,
): Promise<OperationOutcome<Result>> {
  await end(scope, operation.id, { state: 'unknown', result: null, reason: null }, (tx) =>
    kind.giveUp?.(tx, scope, operation),
  );
  return { state: 'unknown', id: operation.id };
}

function end(
  scope: OfficeScope,
  id: string,
  { state, result, reason }: { state: 'done' | 'refused' | 'unknown'; result: unknown; reason: string | null },
  save: (tx: Tx) => Promise<void> | undefined,
): Promise<void> {
  return scope.transaction(async (tx) => {
    const row = {
      state,
      reason,
      endedAt: scope.now(),
      result: result === null ? null : JSON.stringify(result ?? null),
    };
    if (await endOperation(tx, { officeId: scope.officeId, id }, row)) await save(tx);
  });
}

/** A kind of any input and result, for the list of all kinds. */
export interface AnyOperationKind {
  readonly kind: string;
  readonly leastRetryMs?: number;
  resume(scope: OfficeScope, row: OperationRow): Promise<void>;
}

/** How the job goes on with an abandoned operation of this kind. */
export function resumable<Input extends OperationInput, Result>(kind: OperationKind<Input, Result>): AnyOperationKind {
  const { leastRetryMs } = kind;
  const resume = async (scope: OfficeScope, row: OperationRow) => void (await finishOperation(scope, kind, row));
  return { kind: kind.kind, resume, ...(leastRetryMs !== undefined && { leastRetryMs }) };
}

const batch = 20;

/** Goes on with the operations that their processes did not finish; true if more may be due. */
export async function resumeOperations(services: Services, kinds: readonly AnyOperationKind[]): Promise<boolean> {
  const now = services.now();
  const abandoned = await abandonedOperations(services.pool, {
    now,
    kinds: kinds.map(({ kind }) => kind),
    most: batch,
  });
  for (const { officeId, id, kind: name } of abandoned) {
    const scope = officeScope(services, officeId, systemActor, 'provider-operations');
    const kind = kinds.find((known) => known.kind === name);
    const leaseUntil = leaseFrom(now, kind?.leastRetryMs);
    const row = await scope.transaction((tx) => takeOverOperation(tx, { officeId, id }, now, leaseUntil));
    if (!row || !kind) continue;
    await kind.resume(scope, row).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      services.log.error({ operation: id, kind: name, err: error }, 'an operation at a provider could not be settled');
    });
  }
  return abandoned.length === batch;
}
