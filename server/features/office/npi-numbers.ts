import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { hasCheckDigit } from '#contract/practice/office.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Whoever registers with the same NPI at this very moment waits until this transaction ends. */
export async function holdNpi(tx: Tx, npi: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`NPI ${npi}`}, 0))`.execute(tx);
}

/** The office that goes by an NPI, now or before; null when none does. */
export async function holderOf(tx: Tx, npi: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select door_office_by_npi(${npi}) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** A provisional number no office of ours has or had, held until the transaction ends. */
export async function freeNpi(tx: Tx): Promise<string> {
  for (;;) {
    const npi = withCheckDigit(`9${String(randomInt(100_000_000)).padStart(8, '0')}`);
    await holdNpi(tx, npi);
    if ((await holderOf(tx, npi)) === null) return npi;
  }
}

const withCheckDigit = (nine: string) => [...'0123456789'].map((digit) => nine + digit).find(hasCheckDigit) as string;
