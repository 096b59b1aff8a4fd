import type pg from 'pg';
import { columns } from './address-row.ts';

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
    await client.query('drop schema nppes cascade; alter schema nppes_next rename to nppes');
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
  await client.query(`set local maintenance_work_mem = '256MB'; set local work_mem = '128MB'`);
  await client.query('drop schema if exists nppes_next cascade');
  await client.query(`
    create schema nppes_next;
    create table nppes_next.address (like nppes.address);
    create table nppes_next.word (like nppes.word)`);
  step('Putting them in order …');
  const { rowCount } = await client.query(`
    insert into nppes_next.address (${columns})
    select ${columns} from nppes_import.staged
    order by length(name_words), name_words, npi`);
  const copies = await client.query(`
    delete from nppes_next.address a using (
      select npi, max(ctid) as last from nppes_next.address group by npi having count(*) > 1
    ) twice where a.npi = twice.npi and a.ctid <> twice.last`);
  step('Counting words …');
  await client.query(`
    insert into nppes_next.word (word, addresses, misspelt)
    select word, n, case when word ~ '^[a-z]{4,30}$' then (
      select array_to_tsvector(array_agg(left(word, i - 1) || substr(word, i + 1)) || word) from generate_series(1, length(word)) i
    ) end
    from (
      select word, count(*)::int as n from nppes_next.address, unnest(string_to_array(words, ' ')) word group by word
    ) counted`);
  step('Indexing …');
  const indexes = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where schemaname = 'nppes' order by indexname`,
  );
  for (const { indexdef } of indexes.rows) await client.query(indexdef.replace(' ON nppes.', ' ON nppes_next.'));
  await client.query('analyze nppes_next.address, nppes_next.word');
  await client.query(`
    grant usage on schema nppes_next to anteroom_app;
    grant select on all tables in schema nppes_next to anteroom_app`);

  return (rowCount ?? 0) - (copies.rowCount ?? 0);
}
