import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectRoot } from '#server/kit/project-root.ts';
import { countClaimedBy } from './texts-ledger.ts';
import type { WorkerOrders } from './texts-worker.ts';
import type { BenchDatabase } from '#bench/ground/open-ground.ts';

const betweenKillsMs = [200, 600] as const;
const atWork = 2;
const spares = 3;

/** Worker processes: `hire` creates one that is ready and waits, `start` one that sends. */
export function openTextWorkers(ground: BenchDatabase) {
  const all = new Set<ChildProcess>();
  const { session, audit, webhook } = ground.env.secrets;
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(ground.env.dataDir, 'compiled'),
    DATABASE_URL: ground.appUrl,
    DATA_DIR: ground.env.dataDir,
    SESSION_SECRET: session,
    AUDIT_SECRET: audit,
    WEBHOOK_SECRET: webhook,
  };
  const hire = async (orders: WorkerOrders): Promise<ChildProcess> => {
    const child = fork(join(projectRoot, 'bench/drills/texts-worker.ts'), {
      env: { ...env, DRILL_WORKER: JSON.stringify(orders) },
    });
    all.add(child);
    child.once('exit', () => all.delete(child));
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`a worker ended before it was ready (${code})`)));
    });
    return child;
  };
  return {
    hire,
    async start(orders: WorkerOrders): Promise<ChildProcess> {
      const child = await hire(orders);
      child.send('go');
      return child;
    },
    end: () => all.forEach((child) => child.kill('SIGKILL')),
  };
}
export type TextWorkers = ReturnType<typeof openTextWorkers>;

/**
 * Kills one of two workers every 200 to 600 ms and replaces it with a waiting one; `before` runs ahead of each kill. Returns how often a
 * killed one held texts.
 */
export async function killWorkers(
  ground: BenchDatabase,
  crew: TextWorkers,
  kills: number,
  orders: WorkerOrders,
  before: () => Promise<void>,
): Promise<{ caught: number; gapsMs: number[] }> {
  const waiting = Array.from({ length: spares }, () => crew.hire(orders));
  const next = async () => {
    const child = await (waiting.shift() ?? crew.hire(orders));
    child.send('go');
    return child;
  };
  const working = await Promise.all(Array.from({ length: atWork }, next));
  const gapsMs: number[] = [];
  let caught = 0;
  let last = performance.now();
  for (let n = 0; n < kills; n++) {
    waiting.push(crew.hire(orders));
    await before();
    await pause(betweenKillsMs[0] + Math.random() * (betweenKillsMs[1] - betweenKillsMs[0]));
    const victim = working.shift() as ChildProcess;
    await kill(victim);
    gapsMs.push(performance.now() - last);
    last = performance.now();
    if ((await countClaimedBy(ground, victim.pid)) > 0) caught++;
    working.push(await next());
  }
  await Promise.all([...working, ...(await Promise.all(waiting))].map(kill));
  return { caught, gapsMs };
}

/** kill -9, and waits until the process is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await gone;
}
