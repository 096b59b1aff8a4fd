import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/kit/project-root.ts';
import { startProcess } from '#testing/app/process.ts';
import { freshDatabase } from '#testing/app/test-app.ts';

async function startWatchedProcess() {
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

test('the watchdog ends a process whose main thread is blocked, with one log line', async () => {
  const { child, ended, errors } = await startWatchedProcess();
  child.send(60_000);
  const [code, signal] = await ended;
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  const lines = errors().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ alert: 'blocked', pid: child.pid, msg: expect.stringContaining('1.5 s') }),
  ]);
});

test('the watchdog leaves a briefly busy process alone', async () => {
  const { child, ended } = await startWatchedProcess();
  child.send(500);
  expect(await once(child, 'message')).toEqual(['still here', undefined]);
  child.kill();
  expect((await ended)[1]).toBe('SIGTERM');
});

test('the watchdog leaves a process alone that was stopped and continued, as on a laptop that slept', async () => {
  const { child, ended } = await startWatchedProcess();
  child.kill('SIGSTOP');
  await sleep(4_000);
  child.kill('SIGCONT');
  await sleep(2_500);
  child.send(0);
  expect(await once(child, 'message')).toEqual(['still here', undefined]);
  child.kill();
  expect((await ended)[1]).toBe('SIGTERM');
});

test('the server is ended when its main thread has been blocked for ten seconds', { timeout: 120_000 }, async () => {
  const database = await freshDatabase();
  // SIGUSR2 blocks the main thread for a minute, without using the processor.
  const block = 'process.on("SIGUSR2", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000))';
  const server = await startProcess(database.url, {
    NODE_ENV: 'production',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(block)}`,
  });
  try {
    process.kill(server.pid, 'SIGUSR2');
    const blockedAt = Date.now();
    while (!server.output().includes('"alert":"blocked"') && Date.now() - blockedAt < 40_000) await sleep(100);
    expect(server.output()).toContain('the main thread was blocked for 10 s');
    expect(Date.now() - blockedAt).toBeGreaterThan(9_000);
    expect(await server.stop()).toBeNull();
  } finally {
    await server.stop('SIGKILL');
    await database.drop();
  }
});
