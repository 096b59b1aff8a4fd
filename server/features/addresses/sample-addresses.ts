import pg from 'pg';
import { buildAndSwap } from './build-search.ts';
import { beginCopy } from './copy-rows.ts';
import { whileImporting } from './import-lock.ts';
import { copyLine, type AddressRow } from './address-row.ts';

/** Puts these addresses into a search that has none and expects none; any other is left alone. */
export async function loadSample(ownerUrl: string, rows: () => AddressRow[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'anteroom-sample' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await whileImporting(client, ownerUrl, async () => {
      const { rows: found } = await client.query<{ wanted: boolean }>(
        'select not exists (select from nppes.address) and not exists (select from nppes_import.progress) as wanted',
      );
      if (!found[0]?.wanted) return;
      await client.query('truncate nppes_import.staged');
      const copy = beginCopy(client);
      await copy.write(rows().map(copyLine).join(''));
      await copy.end();
      await buildAndSwap(client, async () => void (await client.query('truncate nppes_import.staged')));
    });
  } finally {
    await client.end();
  }
}
