import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { hasCheckDigit } from '#contract/practice/office.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Locks the NPI: a concurrent registration with it waits until this transaction ends. */
export async function lockNpi(tx: Tx, npi: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`NPI ${npi}`}, 0))`.execute(tx);
}

/** The office with this NPI, current or earlier; null if there is none. */
export async function findNpiHolder(tx: Tx, npi: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select door_office_by_npi(${npi}) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** A provisional number that no office has or had, locked until the transaction ends. */
export async function createProvisionalNpi(tx: Tx): Promise<string> {
  for (;;) {
    const npi = withCheckDigit(`9${String(randomInt(100_000_000)).padStart(8, '0')}`);
    await lockNpi(tx, npi);
    if ((await findNpiHolder(tx, npi)) === null) return npi;
  }
}

const withCheckDigit = (nine: string) => [...'0123456789'].map((digit) => nine + digit).find(hasCheckDigit) as string;
