import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '#server/kit/project-root.ts';

const secrets = { SESSION_SECRET: 's'.repeat(40), AUDIT_SECRET: 'a'.repeat(40), WEBHOOK_SECRET: 'w'.repeat(40) };

/** The server as a process of its own on a database of yours: its address, all it printed, and its end. */
export async function startProcess(databaseUrl: string, env: NodeJS.ProcessEnv = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-process-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(projectRoot, 'server/main.ts')], {
    env: {
      ...process.env,
      ...secrets,
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void printed.push(String(chunk)));
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const ready = () => fetch(`${url}/readyz`).then((answer) => answer.ok, () => false); // prettier-ignore
  for (let tries = 0; !(await ready()); tries++) {
    if (child.exitCode !== null || tries > 600) throw new Error(`the server did not start:\n${printed.join('')}`);
    await sleep(100);
  }
  return {
    url,
    pid: child.pid as number,
    output: () => printed.join(''),
    /** Ends it; answers its exit code (null when a signal ended it). */
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
      child.kill(signal);
      const code = await ended;
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
