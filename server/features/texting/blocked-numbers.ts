import type { TextProblem } from '#contract/queue.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { textBlockOf } from './blocked-numbers-sql.ts';

/** Refuses a number that can get no texts: what is only a text would reach nobody. */
export async function refuseBlockedNumber(tx: Tx, officeId: string, phone: string): Promise<void> {
  refuseProblem(await textBlockOf(tx, officeId, phone));
}

/** Refuses a text that failed at once because its number can get none. */
export function refuseProblem(problem: TextProblem | null): void {
  if (problem === 'opted-out') throw new Refusal('number_opted_out');
  if (problem === 'landline') throw new Refusal('number_is_landline');
}
