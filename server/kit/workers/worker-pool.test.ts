import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { tasks } from '#testing/fixtures/worker-tasks-for-tests.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import type { HostEnd } from './host-end.ts';
import { openWorkerPool, type WorkerPool } from './worker-pool.ts';

const file = 'testing/fixtures/worker-tasks-for-tests.ts';
const options = { owner: 'a', deadlineMs: 20_000 };
const hostEnds: HostEnd[] = [];
const open = (processes = 2) =>
  openWorkerPool<typeof tasks>({ file, processes, heapMb: 64, onHostEnd: (end) => hostEnds.push(end) });

let pool: WorkerPool<typeof tasks>;
beforeAll(() => {
  pool = open();
});
afterAll(() => pool.close());

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pidOf = (from: WorkerPool<typeof tasks>) => from.run('pid', () => undefined as never, options);

test('a task gets its input and returns its result, including bytes and maps', async () => {
  const input = new Map([['a', { content: Buffer.from('abc'), at: new Date(0) }]]);
  const answer = (await pool.run('echo', () => Promise.resolve(input), options)) as typeof input;
  expect(Buffer.from(answer.get('a')?.content ?? []).toString()).toBe('abc');
  expect(answer.get('a')?.at).toEqual(new Date(0));
});

test('a worker has nothing of the environment that could be a secret, and is reused for the next job', async () => {
  const names = await pool.run('environment', () => undefined as never, options);
  const open = ['TZ', 'NODE_COMPILE_CACHE'];
  expect(names.filter((name) => !open.includes(name) && !name.startsWith('NODE_CHANNEL'))).toEqual([]);
  expect(await pidOf(pool)).toBe(await pidOf(pool));
});

test('a failing task rejects with its error, and its process continues', async () => {
  const before = await pidOf(pool);
  await expect(pool.run('fail', () => 'no such thing', options)).rejects.toMatchObject({
    name: 'TypeError',
    message: 'no such thing',
  });
  expect(await pidOf(pool)).toBe(before);
});

test('an input that fails to load rejects, and the process continues', async () => {
  await expect(pool.run('echo', () => Promise.reject(new Error('store away')), options)).rejects.toThrow('store away');
  expect(await pool.run('echo', () => 1, options)).toBe(1);
});

test('a loop ends at its deadline with its last note, and takes only its process with it', async () => {
  const before = await pidOf(pool);
  const late = pool.run('spin', () => 'the second step', { owner: 'a', deadlineMs: 200 });
  await expect(late).rejects.toMatchObject({ name: 'JobEnded', reason: 'deadline', note: 'the second step' });
  expect(isRunning(before)).toBe(false);
  expect(await pool.run('echo', () => 1, options)).toBe(1);
});

test('a job that waits without CPU time ends at five times its deadline', async () => {
  const from = performance.now();
  const late = pool.run('pause', () => 60_000, { owner: 'a', deadlineMs: 400 });
  await expect(late).rejects.toMatchObject({ reason: 'deadline', note: '' });
  expect(performance.now() - from).toBeGreaterThan(2_000);
});

test.each(['fillHeap', 'flattenLongText'] as const)('%s ends only its process', async (task) => {
  const full = pool.run(task, () => undefined as never, options);
  await expect(full).rejects.toMatchObject({ name: 'JobEnded', reason: 'memory' });
  expect(await pool.run('echo', () => 1, options)).toBe(1);
});

test('another owner’s job overtakes the waiting jobs of a busy owner', async () => {
  const one = open(1);
  const order: string[] = [];
  const job = (owner: string) => one.run('pause', () => (order.push(owner), 1), { owner, deadlineMs: 20_000 });
  await Promise.all([job('busy'), job('busy'), job('busy'), job('other')]);
  expect(order).toEqual(['busy', 'other', 'busy', 'busy']);
  await one.close();
});

test('an owner has one running job at a time, even if two processes are free', async () => {
  const order: string[] = [];
  const job = (name: string) =>
    pool.run('pause', () => (order.push(`${name} starts`), 50), options).then(() => order.push(`${name} ends`));
  await Promise.all([job('first'), job('second')]);
  expect(order).toEqual(['first starts', 'first ends', 'second starts', 'second ends']);
});

test('an owner whose job was ended leaves one process free', async () => {
  const endless = pool.run('spin', () => '', { owner: 'suspect', deadlineMs: 50 });
  await expect(endless).rejects.toMatchObject({ reason: 'deadline' });
  const long = pool.run('pause', () => 600, { owner: 'first', deadlineMs: 20_000 });
  let isSuspectOver = false;
  const suspect = pool
    .run('pause', () => 1, { owner: 'suspect', deadlineMs: 20_000 })
    .then(() => (isSuspectOver = true));
  await pool.run('pause', () => 1, { owner: 'second', deadlineMs: 20_000 });
  expect(isSuspectOver).toBe(false);
  await Promise.all([long, suspect]);
});

test('jobs beyond the waiting limit are refused without loading their input', async () => {
  let loaded = 0;
  const input = () => ((loaded += 1), 50);
  const jobs = Array.from({ length: 30 }, () => pool.run('pause', input, { owner: 'many', deadlineMs: 20_000 }));
  const results = await Promise.allSettled(jobs);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(9);
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
  expect(loaded).toBe(21);
});

test('a job whose process does not start in time is refused, and may be tried again', async () => {
  const hurried = openWorkerPool<typeof tasks>({
    file,
    processes: 1,
    heapMb: 64,
    longestStartMs: 1,
    onHostEnd: () => undefined,
  });
  await expect(hurried.run('echo', () => 1, options)).rejects.toMatchObject({ code: 'overloaded' });
  await hurried.close();
});

test('closing refuses waiting jobs and ends a loop within two seconds', async () => {
  const closing = open(1);
  const pid = await pidOf(closing);
  const running = closing.run('spin', () => '', options);
  const waiting = closing.run('echo', () => 1, options);
  const both = Promise.allSettled([running, waiting]);
  const from = performance.now();
  await closing.close();
  expect(performance.now() - from).toBeLessThan(2_000);
  expect(isRunning(pid)).toBe(false);
  for (const { status, ...rest } of await both) {
    expect(status).toBe('rejected');
    expect(rest).toMatchObject({ reason: { code: 'overloaded' } });
  }
  await expect(closing.run('echo', () => 1, options)).rejects.toMatchObject({ code: 'overloaded' });
});

const hasProc = existsSync('/proc/self/stat');
/** The parent's id and the nice value, from the fourth and the nineteenth field of Linux's `stat`. */
async function statOf(pid: number) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? [];
  return { parent: Number(fields[1]), niceness: Number(fields[16]) };
}

test.runIf(hasProc)('workers have a lower priority, and their parent is a process of its own', async () => {
  const { parent, niceness } = await statOf(await pidOf(pool));
  expect(niceness).toBe(10);
  expect(parent).not.toBe(process.pid);
  expect((await statOf(parent)).parent).toBe(process.pid);
});

const groupOf = (pid: number | 'self') => readFile(`/proc/${pid}/autogroup`, 'utf8');

// Within the server's own session the nice value would give PostgreSQL, which has another session, no priority over the workers.
test.runIf(existsSync('/proc/self/autogroup'))('workers are in a session of lower priority', async () => {
  const group = await groupOf(await pidOf(pool));
  expect(group).toMatch(/ nice 10$/m);
  expect(group).not.toBe(await groupOf('self'));
});

test.runIf(hasProc)(
  'if the process that starts workers is killed, that is reported, its jobs fail and the next job gets a new one',
  async () => {
    const killed = open(1);
    const pid = await pidOf(killed);
    const running = killed.run('pause', () => 60_000, options);
    const failing = running.catch((error: Error) => error.message);
    await sleep(100);
    process.kill((await statOf(pid)).parent, 'SIGKILL');
    expect(await failing).toBe('the worker host has ended');
    expect(await killed.run('echo', () => 1, options)).toBe(1);
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    await killed.close();
    // The second one was asked to end, so it is not reported.
    expect(hostEnds).toEqual([{ exitCode: null, signal: 'SIGKILL', trace: '' }]);
  },
);

test.runIf(hasProc)('a process in a loop ends when its parent is killed', async () => {
  const parent = spawn(process.execPath, [join(projectRoot, 'testing/fixtures/pool-parent.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(text);
  await sleep(300); // by now it is in its loop
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});
