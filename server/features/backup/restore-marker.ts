import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Lies in DATA_DIR while a restore runs: what is there is not whole yet. */
export const restoreMarker = 'restore-not-finished';

/** Throws when DATA_DIR holds a restore that was interrupted: a server on half of an installation would go on from a wrong past. */
export function expectWholeInstallation(dataDir: string): void {
  if (existsSync(join(dataDir, restoreMarker)))
    throw new Error(
      `A restore into ${dataDir} did not finish. Empty the folder and run script/anteroom restore again.`,
    );
}
