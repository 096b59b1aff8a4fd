import { createHash } from 'node:crypto';
import type { Services } from '#server/context.ts';
import { isNumberTaken } from '#server/features/office/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import type { NumberOrder } from '#server/providers/sms/port.ts';
import { lockByName } from './sql.ts';

/** Everything about the practice is right; only its number is missing, or another practice has it by now. */
export class NumberNeeded extends Error {
  override readonly name = 'NumberNeeded';
  readonly order: NumberOrder;
  constructor(order: NumberOrder) {
    super('a practice needs a number for its texts');
    this.order = order;
  }
}

const mostTries = 5;

/**
 * Runs `register` without a number first: it checks everything, and if it would make an office it is rolled back by NumberNeeded. Then the
 * number is rented, outside any transaction, and `register` runs again with it. So a form with errors never buys a number, and no
 * transaction waits for the carrier.
 */
export async function withTextNumber<T>(
  services: Services,
  register: (textNumber: string | null) => Promise<T>,
): Promise<T> {
  let textNumber: string | null = null;
  for (let tries = 0; ; tries++) {
    try {
      return await register(textNumber);
    } catch (error) {
      if (!(error instanceof NumberNeeded)) throw error;
      if (tries === mostTries) throw new Refusal('text_number_away');
      textNumber = await rentNumber(services, error.order);
    }
  }
}

async function rentNumber({ db, providers, log }: Services, order: NumberOrder): Promise<string> {
  try {
    return await providers.sms.takeNumber(order, async (number) => !(await isNumberTaken(db, number)));
  } catch (error) {
    log.error({ alert: 'sms', err: error }, 'no number could be rented for a new practice');
    throw new Refusal('text_number_away');
  }
}

/** Holds the number for the practice until the transaction ends; throws NumberNeeded if there is none, or if it is taken. */
export async function holdNumber(
  tx: Tx,
  practice: { npi: string | null; name: string; addressLine1: string; city: string; state: string; zip: string },
  textNumber: string | null,
): Promise<string> {
  if (textNumber === null) throw new NumberNeeded(orderOf(practice, null));
  await lockByName(tx, `text number ${textNumber}`);
  if (await isNumberTaken(tx, textNumber)) throw new NumberNeeded(orderOf(practice, textNumber));
  return textNumber;
}

/** The same practice at the same address is the same order, whoever registers it and with whichever form. */
function orderOf(
  { npi, name, addressLine1, city, state, zip }: Parameters<typeof holdNumber>[1],
  taken: string | null,
): NumberOrder {
  const practice = [npi ?? name, addressLine1, city, state].map((part) => part.toLowerCase());
  return { key: createHash('sha256').update(JSON.stringify(practice)).digest('hex'), state, zip, taken };
}
