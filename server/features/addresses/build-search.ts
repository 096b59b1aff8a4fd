import type pg from 'pg';
import { countWords, createNextSchema, fillAddresses, indexNextSchema, swapSchemas } from './search-tables-sql.ts';

/**
 * Builds new addresses, words and indexes from the staging table and swaps them in with one transaction: a search sees all old or all new
 * ones. `inSwap` runs in that transaction; `step` reports slow steps. Returns the number of addresses.
 */
export async function buildAndSwap(
  client: pg.ClientBase,
  inSwap: (addresses: number) => Promise<void>,
  step: (message: string) => void = () => undefined,
): Promise<number> {
  await client.query('begin');
  let addresses: number;
  try {
    addresses = await build(client, step);
    await client.query('commit; begin');
    await swapSchemas(client);
    await inSwap(addresses);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  return addresses;
}

/** Builds the schema `nppes_next`, in the caller's transaction; returns the number of addresses. */
async function build(client: pg.ClientBase, step: (message: string) => void): Promise<number> {
  await createNextSchema(client);
  step('Putting them in order …');
  const addresses = await fillAddresses(client);
  step('Counting words …');
  await countWords(client);
  step('Indexing …');
  await indexNextSchema(client);
  return addresses;
}
