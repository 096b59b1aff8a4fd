import pg from 'pg';
import { buildAndSwap } from './build-search.ts';
import { beginCopy } from './copy-rows.ts';
import { whileImporting } from './import-lock.ts';
import { emptyStaging, hasNoAddresses } from './import-sql.ts';
import { copyLine, type AddressRow } from './address-row.ts';

/** Puts these addresses into a search that has none and expects none; any other is left alone. */
export async function loadSample(ownerUrl: string, rows: () => AddressRow[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'anteroom-sample' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await whileImporting(client, ownerUrl, async () => {
      if (!(await hasNoAddresses(client))) return;
      await emptyStaging(client);
      const copy = beginCopy(client);
      await copy.write(rows().map(copyLine).join(''));
      await copy.end();
      await buildAndSwap(client, () => emptyStaging(client));
    });
  } finally {
    await client.end();
  }
}
