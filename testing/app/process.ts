import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '#server/kit/project-root.ts';
import { appUrlOf } from './app-url.ts';

const secrets = { SESSION_SECRET: 's'.repeat(40), AUDIT_SECRET: 'a'.repeat(40), WEBHOOK_SECRET: 'w'.repeat(40) };

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>;

/**
 * Starts the server as a separate process, on a given database (its owner's URL) or (null) on the embedded one of DATA_DIR. Returns its
 * URL, its output and a way to stop it. In production mode it runs the built server, if there is one. It waits until `readyPath` answers 200.
 * `root` is the folder of the program, another version's for example.
 */
export async function startProcess(
  ownerUrl: string | null,
  env: NodeJS.ProcessEnv = {},
  readyPath = '/readyz',
  root = projectRoot,
) {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'anteroom-process-')));
  const port = Number(env.PORT) || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const built = join(root, 'dist/server/main.js');
  const runsBuilt = env.NODE_ENV === 'production' && existsSync(built);
  const program = runsBuilt ? [...flagsOfServer(root), built] : [join(root, 'server/main.ts')];
  const began = performance.now();
  const child = spawn(process.execPath, program, {
    env: {
      ...(runsBuilt && settingsOfServer(root)),
      ...process.env,
      ...secrets,
      NODE_ENV: 'development',
      // Production without real providers, otherwise the demo, even on an external database.
      ...(env.NODE_ENV === 'production' ? { LOCAL_PROVIDERS: '1' } : { DEMO: '1' }),
      DATABASE_URL: ownerUrl === null ? '' : appUrlOf(ownerUrl),
      MIGRATE_DATABASE_URL: ownerUrl ?? '',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      ...env,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void printed.push(String(chunk)));
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const ready = () => fetch(url + readyPath).then((answer) => answer.ok, () => false); // prettier-ignore
  for (let tries = 0; !(await ready()); tries++) {
    if (child.exitCode !== null || tries > 1_200) throw new Error(`the server did not start:\n${printed.join('')}`);
    await sleep(50);
  }
  return {
    url,
    port,
    /** Milliseconds from the start to the first 200. */
    readyMs: performance.now() - began,
    pid: child.pid as number,
    output: () => printed.join(''),
    /** Stops it; returns its exit code (null if a signal ended it). */
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
      child.kill(signal);
      const code = await ended;
      if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/**
 * A port where nothing listens, below those that the system gives to outgoing connections: after a kill, a server can start on its
 * port again.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(11_000, 30_000);
  return (await canListen(port)) ? port : freePort();
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
  });
  if (listens) await new Promise((done) => server.close(done));
  return listens;
}

/** What `script/server` of a version gives Node.js. */
function flagsOfServer(root: string): string[] {
  const line = /^exec node (.+) dist\/server\/main\.js/m.exec(scriptOfServer(root));
  if (!line?.[1]) throw new Error('script/server does not start the built server');
  return line[1].split(' ');
}

/** The environment that it adds. */
const settingsOfServer = (root: string) =>
  Object.fromEntries(
    [...scriptOfServer(root).matchAll(/^export (\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );

/** With the defaults in place of the variables. */
const scriptOfServer = (root: string) =>
  readFileSync(join(root, 'script/server'), 'utf8').replace(/"\$\{\w+:-(\d+)\}"/g, '$1');
