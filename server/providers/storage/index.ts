import type { Services } from '#server/context.ts';
import { diskStorage } from './disk.ts';
import type { Env } from '#server/env.ts';
import type { Storage } from './port.ts';
import { readS3 } from './s3-settings.ts';
import { s3Storage } from './s3.ts';

/** This installation's file store: a bucket if one is configured, otherwise the disk below DATA_DIR. */
export function openStorage(given: Pick<Services, 'env' | 'now'>): Storage {
  return given.env.s3 ? s3Storage(given, given.env.s3) : diskStorage(given);
}

/** The same for a command without a whole environment, such as a restore into an empty DATA_DIR. Its links open nothing. */
export function openStorageOf(dataDir: string, environment: NodeJS.ProcessEnv): Storage {
  const env = { dataDir, s3: readS3(environment) } as Env;
  return openStorage({ env, now: () => new Date() });
}
