import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/kit/project-root.ts';

async function watched() {
  const child = fork(join(projectRoot, 'testing/fixtures/watched-process.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => void (errors += String(chunk)));
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  await once(child, 'message');
  await sleep(500); // the watching thread starts
  return { child, ended, errors: () => errors };
}

test('a process whose main thread is blocked is ended, with one line in its log', async () => {
  const { child, ended, errors } = await watched();
  child.send(60_000);
  const [code, signal] = await ended;
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  const lines = errors().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ alert: 'blocked', pid: child.pid, msg: expect.stringContaining('1.5 s') }),
  ]);
});

test('a process that is busy for a moment goes on', async () => {
  const { child, ended } = await watched();
  child.send(500);
  expect(await once(child, 'message')).toEqual(['still here', undefined]);
  child.kill();
  expect((await ended)[1]).toBe('SIGTERM');
});

test('a process that was stopped and continued, as on a laptop that slept, goes on', async () => {
  const { child, ended } = await watched();
  child.kill('SIGSTOP');
  await sleep(4_000);
  child.kill('SIGCONT');
  await sleep(2_500);
  child.send(0);
  expect(await once(child, 'message')).toEqual(['still here', undefined]);
  child.kill();
  expect((await ended)[1]).toBe('SIGTERM');
});
