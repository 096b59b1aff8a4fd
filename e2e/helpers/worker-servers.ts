import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many journeys run at once: E2E_WORKERS. Each worker has its own server and database, because journeys change what the demo shows. */
export const workers = process.env.E2E_URL ? 1 : Number(process.env.E2E_WORKERS ?? 1);

// Playwright's workers read this file too, so random values are chosen once and inherited.
process.env.E2E_FIRST_PORT ??= String(20_000 + (process.pid % 20_000));
if (!process.env.E2E_FOLDER) {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-e2e-'));
  process.env.E2E_FOLDER = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

export interface WorkerServer {
  port: string;
  baseURL: string;
  dataDir: string;
}

/** The server of the worker with this number (0 is the first). E2E_URL is the URL of a server that runs already. */
export function serverOfWorker(worker: number): WorkerServer {
  const port = String(Number(process.env.E2E_FIRST_PORT) + worker);
  return {
    port,
    baseURL: process.env.E2E_URL ?? `http://localhost:${port}`,
    dataDir: join(process.env.E2E_FOLDER ?? '', `server-${worker + 1}`),
  };
}

/** Makes a worker's server the one that journeys and helpers find in the environment. */
export function useServerOfWorker(worker: number): WorkerServer {
  const server = serverOfWorker(worker);
  process.env.E2E_PORT = server.port;
  process.env.E2E_DATA_DIR = server.dataDir;
  process.env.E2E_BASE_URL = server.baseURL;
  return server;
}
