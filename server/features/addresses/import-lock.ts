import pg from 'pg';
import { takeImportLock } from './import-sql.ts';

/**
 * Runs `work` unless another import is running; then returns undefined. A transaction on a separate connection holds the lock, so it works
 * behind a transaction pooler too. Losing that connection ends `client` and with it the work.
 */
export async function whileImporting<T>(
  client: pg.Client,
  ownerUrl: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const holder = new pg.Client({ connectionString: ownerUrl, application_name: 'anteroom-import-lock' });
  let isDone = false;
  const endWork = () => void (isDone || client.end().catch(() => undefined));
  holder.on('error', endWork);
  holder.on('end', endWork);
  await holder.connect();
  try {
    await holder.query('begin');
    return (await takeImportLock(holder)) ? await work() : undefined;
  } finally {
    isDone = true;
    await holder.end().catch(() => undefined);
  }
}
