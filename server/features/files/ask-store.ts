import type { OfficeScope } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { FileMissing } from '#server/providers/storage/port.ts';

/** Calls the store; any error becomes `files_away`. */
export async function callStore<T>({ log }: Pick<OfficeScope, 'log'>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    // The key is no secret, but a store's error message may quote what it received.
    const { name, code } = error as { name?: string; code?: string };
    log.error({ name, code, missing: error instanceof FileMissing }, 'the file store refused');
    throw new Refusal('files_away', undefined, 5);
  }
}
