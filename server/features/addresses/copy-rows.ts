import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { columns } from './address-row.ts';

/** A COPY into the staging table. */
export interface Copy {
  /** Hands lines over; waits for those handed over before, so that reading goes on while the database takes these. */
  write(lines: string): Promise<void>;
  /** All lines are in the table, of the transaction that is open. */
  end(): Promise<void>;
  /** Gives up; the transaction has to be rolled back. */
  cancel(): void;
}

export function beginCopy(client: pg.ClientBase): Copy {
  const stream = client.query(from(`copy nppes_import.staged (${columns}) from stdin`));
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
