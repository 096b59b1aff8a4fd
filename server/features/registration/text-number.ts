import { createHash } from 'node:crypto';
import type { Services } from '#server/context.ts';
import { isNumberTaken } from '#server/features/office/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkBudgets, type Budget } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { NumbersUsedUp, type NumberOrder } from '#server/providers/sms/port.ts';
import { lockByName } from './sql.ts';

/**
 * Each number costs money every month, and a stranger can register practices. A practice beyond these limits registers without a number,
 * and gets one when it is confirmed: strangers must not keep anybody from registering.
 */
export const rentalLimits = {
  perNetwork: { name: 'number-rentals-network', points: 5, seconds: 86_400 },
  all: { name: 'number-rentals', points: 50, seconds: 86_400 },
} as const;

/** The number for a new practice; `number` is null if none may be rented before the practice is confirmed. */
export interface OfferedNumber {
  number: string | null;
}

/** Everything about the practice is right; only its number is missing, or another practice has it by now. */
export class NumberNeeded extends Error {
  override readonly name = 'NumberNeeded';
  readonly order: Omit<NumberOrder, 'budgets'>;
  constructor(order: Omit<NumberOrder, 'budgets'>) {
    super('a practice needs a number for its texts');
    this.order = order;
  }
}

/** The networks of one /48 together may rent this many times what one of them may: less than all strangers together. */
const networksPerSite = 4;
const mostTries = 5;

/**
 * Runs `register` without a number first: it checks everything, and if it would make an office it is rolled back by NumberNeeded. Then the
 * number is rented, outside any transaction, and `register` runs again with it. So a form with errors never buys a number, and no
 * transaction waits for the carrier.
 */
export async function withTextNumber<T>(
  services: Services,
  network: string,
  register: (offered: OfferedNumber | null) => Promise<T>,
): Promise<T> {
  const budgets: Budget[] = [[rentalLimits.all, 'all']];
  // The demo's visitors share networks, and its practices could not be confirmed later.
  if (!services.env.demo) budgets.push(...networkBudgets(rentalLimits.perNetwork, network, networksPerSite));
  let offered: OfferedNumber | null = null;
  for (let tries = 0; ; tries++) {
    try {
      return await register(offered);
    } catch (error) {
      if (!(error instanceof NumberNeeded)) throw error;
      if (tries === mostTries) throw new Refusal('text_number_away');
      offered = { number: await rentNumber(services, { ...error.order, budgets }) };
    }
  }
}

/** Null if strangers rented as many numbers as they may today. The demo confirms every practice, so there the form waits. */
async function rentNumber({ db, env, providers, log }: Services, order: NumberOrder): Promise<string | null> {
  try {
    return await providers.sms.takeNumber(order, async (number) => !(await isNumberTaken(db, number)));
  } catch (error) {
    log.error({ alert: 'sms', err: error }, 'no number could be rented for a new practice');
    if (error instanceof NumbersUsedUp && !env.demo) return null;
    throw new Refusal('text_number_away');
  }
}

/** Holds the number for the practice until the transaction ends; throws NumberNeeded if none was offered, or if it is taken. */
export async function holdNumber(
  tx: Tx,
  practice: { npi: string | null; name: string; addressLine1: string; city: string; state: string; zip: string },
  offered: OfferedNumber | null,
): Promise<string | null> {
  if (offered === null) throw new NumberNeeded(orderOf(practice, null));
  const { number: textNumber } = offered;
  if (textNumber === null) return null;
  await lockByName(tx, `text number ${textNumber}`);
  if (await isNumberTaken(tx, textNumber)) throw new NumberNeeded(orderOf(practice, textNumber));
  return textNumber;
}

/** The same practice at the same address is the same order, whoever registers it and with whichever form. */
function orderOf(
  { npi, name, addressLine1, city, state, zip }: Parameters<typeof holdNumber>[1],
  taken: string | null,
): Omit<NumberOrder, 'budgets'> {
  const practice = [npi ?? name, addressLine1, city, state].map((part) => part.toLowerCase());
  return { key: createHash('sha256').update(JSON.stringify(practice)).digest('hex'), state, zip, taken };
}
