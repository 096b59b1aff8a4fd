import { randomInt } from 'node:crypto';
import { hasCheckDigit } from '#contract/practice/office.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { findNpiHolder, lockNpi } from './sql.ts';

/** A provisional number that no office has or had, locked until the transaction ends. */
export async function createProvisionalNpi(tx: Tx): Promise<string> {
  for (;;) {
    const npi = withCheckDigit(`9${String(randomInt(100_000_000)).padStart(8, '0')}`);
    await lockNpi(tx, npi);
    if ((await findNpiHolder(tx, npi)) === null) return npi;
  }
}

const withCheckDigit = (nine: string) => [...'0123456789'].map((digit) => nine + digit).find(hasCheckDigit) as string;
