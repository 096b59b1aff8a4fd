import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findCommand, runStandalone } from '#server/kit/command.ts';
import { openStorageOf } from '#server/providers/storage/index.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { freshDatabase } from '#testing/app/test-app.ts';
import { backupCommands } from './commands.ts';

afterEach(() => vi.unstubAllEnvs());

test.skipIf(!onCitus())('a backup of a database that several nodes hold is refused, and no file is left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-several-nodes-'));
  const database = await freshDatabase();
  try {
    const passphrase = join(folder, 'passphrase');
    await writeFile(passphrase, randomBytes(24).toString('hex'), { mode: 0o600 });
    const secret = 's'.repeat(40);
    const env = {
      NODE_ENV: 'production',
      LOCAL_PROVIDERS: '1',
      DATABASE_URL: appUrlOf(database.url),
      MIGRATE_DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SESSION_SECRET: secret,
      AUDIT_SECRET: secret,
      WEBHOOK_SECRET: secret,
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const typed = ['backup', folder, '--passphrase-file', passphrase, '--quiet'];
    const command = findCommand(backupCommands(openStorageOf), typed);
    await expect(runStandalone(command, typed, () => undefined)).rejects.toThrow(/several nodes.*docs\/growing\.md/);
    expect((await readdir(folder)).filter((name) => name.includes('.backup'))).toEqual([]);
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
