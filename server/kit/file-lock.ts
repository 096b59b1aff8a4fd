import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const SQLITE_BUSY = 5;

/**
 * Waits until this process alone holds the file lock at `path`, and returns a function that releases it. The kernel releases it if the
 * process dies. Throws after `deadline` (epoch milliseconds).
 */
export async function lockFile(path: string, deadline: number): Promise<() => void> {
  for (;;) {
    const file = new DatabaseSync(path);
    try {
      file.exec('BEGIN EXCLUSIVE');
      return () => file.close();
    } catch (error) {
      file.close();
      if (!isBusy(error)) throw error;
      if (Date.now() > deadline) throw new Error(`Another process has held ${path} for too long.`, { cause: error });
    }
    await sleep(20);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
