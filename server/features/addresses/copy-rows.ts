import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { copyIntoStaging } from './import-sql.ts';

/** A COPY into the staging table. */
export interface Copy {
  /** Sends lines after waiting for the previous ones, so that reading continues while the database stores these. */
  write(lines: string): Promise<void>;
  /** Waits until all lines are in the table, in the open transaction. */
  end(): Promise<void>;
  /** Aborts the COPY; the caller must roll back the transaction. */
  cancel(): void;
}

export function beginCopy(client: pg.ClientBase): Copy {
  const stream = copyIntoStaging(client);
  const done = finished(stream);
  done.catch(() => undefined);
  stream.on('error', () => undefined);
  let before: Promise<unknown> = Promise.resolve();
  return {
    async write(lines) {
      await Promise.race([before, done]);
      before = new Promise<void>((resolve) => void stream.write(lines, () => resolve()));
    },
    async end() {
      stream.end();
      await done;
    },
    cancel: () => void stream.destroy(),
  };
}
