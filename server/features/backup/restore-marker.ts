import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The name of a file in DATA_DIR that exists while a restore runs. */
export const restoreMarker = 'restore-not-finished';

/** Throws if a restore was interrupted: a server must not start on an incomplete installation. */
export function expectWholeInstallation(dataDir: string): void {
  if (existsSync(join(dataDir, restoreMarker)))
    throw new Error(
      `A restore into ${dataDir} did not finish. Empty the folder and run script/anteroom restore again.`,
    );
}
