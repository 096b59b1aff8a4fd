import { addressCommands } from '#server/features/addresses/commands.ts';
import { auditCommands } from '#server/features/audit/commands.ts';
import { backupCommands } from '#server/features/backup/commands.ts';
import { confirmationCommands } from '#server/features/confirmation/commands.ts';
import { demoRequestCommands } from '#server/features/demo-request/commands.ts';
import { featureRequestCommands } from '#server/features/feature-requests/commands.ts';
import { formCommands } from '#server/features/forms/commands.ts';
import { closeFormWork, formCheckCommand } from '#server/features/forms/index.ts';
import { flagCommands } from '#server/features/office/flag-commands.ts';
import { officeCommands } from '#server/features/office/office-commands.ts';
import { copayCommands } from '#server/features/copay/commands.ts';
import { membershipCommands } from '#server/features/membership/commands.ts';
import { partnerCommands } from '#server/features/partner/commands.ts';
import { personCommands } from '#server/features/security/commands.ts';
import { registrationCommands } from '#server/features/registration/commands.ts';
import {
  findCommand,
  UsageError,
  runCommand,
  runStandalone,
  usage,
  type Command,
  type StandaloneCommand,
} from '#server/kit/command.ts';
import { textCommands } from '#server/features/texting/commands.ts';
import { isDatabaseAway, openDb, openOwnerPool, type Db } from '#server/kit/db/db.ts';
import { distribute, nodesThatLogRows } from '#server/kit/db/distribute.ts';
import { openStorageOf } from '#server/providers/storage/index.ts';
import { smokeCommands } from '#server/providers/smoke-commands.ts';
import { bareApp } from './app.ts';
import { openDatabase } from './database.ts';
import { readEnv } from './env.ts';
import { openServices } from './open-app.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Opening the database has already migrated it; without the owner's login the command only checks that. */
const databaseCommands: readonly Command[] = [
  {
    name: 'database migrate',
    takes: '',
    says: "Brings the database to this version with the owner's login in MIGRATE_DATABASE_URL, for servers that are not given it",
    run: async ({ ownerUrl }) => {
      if (ownerUrl) say('The database is at the newest version, and the app can log in.');
    },
  },
  {
    name: 'database distribute',
    takes: '[--shards N]',
    says: "Spreads the offices' tables over the nodes of a Citus cluster, in place; stop the servers first (docs/growing.md)",
    options: ['shards'],
    run: async ({ ownerUrl, say: tell }, { options: { shards = '32' } }) => {
      if (!/^[1-9]\d{0,3}$/.test(shards)) throw new UsageError('--shards takes a number from 1 to 9999.');
      const placed = await distribute(ownerUrl, { shards: Number(shards), say: tell });
      for (const place of ['by office', 'everywhere', 'coordinator'] as const)
        tell(`${place}: ${placed.filter((table) => table.place === place).length} tables`);
      for (const { node, settings } of await nodesThatLogRows(ownerUrl))
        tell(
          `WARNING: the log of ${node} would show patients: ${settings}. docs/growing.md (From 4 to 5) has the settings.`,
        );
    },
  },
];

const commands: readonly Command[] = [
  ...databaseCommands,
  ...officeCommands,
  ...confirmationCommands,
  ...flagCommands,
  ...addressCommands,
  ...demoRequestCommands,
  ...featureRequestCommands,
  ...registrationCommands,
  ...membershipCommands,
  ...copayCommands,
  ...partnerCommands,
  ...formCommands,
  ...personCommands,
  ...auditCommands,
  ...textCommands,
  ...smokeCommands,
];
const standaloneCommands = [formCheckCommand, ...backupCommands(openStorageOf)];

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main(typed: string[]): Promise<number> {
  if (typed.length === 0 || ['help', '--help', '-h'].includes(typed[0] ?? '')) return help();
  const command = findCommand([...standaloneCommands, ...commands], typed);
  if (typed.includes('--help') || typed.includes('-h')) {
    say(`${usage(command)}\n  ${command.says}`);
    return 0;
  }
  if (isStandalone(command)) {
    const code = await runStandalone(command, typed, say).finally(closeFormWork);
    // Compare the restored audit log with the restored heads at once, so that the operator sees the result.
    return command.name.startsWith('restore') && code === 0 ? main(['audit', 'verify']) : code;
  }
  const env = readEnv();
  const database = await openDatabase(env, { distributes: command.name === 'database distribute' });
  const { appUrl, ownerUrl } = database;
  try {
    const services = openServices(env, appUrl, bareApp(env).log);
    const owner = ownerUrl === undefined ? undefined : openDb(openOwnerPool(ownerUrl));
    try {
      return await runCommand(commands, typed, {
        services,
        get owner(): Db {
          return owner ?? needOwner();
        },
        get ownerUrl(): string {
          return ownerUrl ?? needOwner();
        },
        say,
      });
    } finally {
      await owner?.destroy();
      await closeFormWork();
      await services.providers.email.close();
      await services.live.close();
      await services.db.destroy();
    }
  } finally {
    await database.release();
  }
}

function needOwner(): never {
  throw new UsageError("This command needs the owner's login: give it as MIGRATE_DATABASE_URL.");
}

function isStandalone(command: { name: string }): command is StandaloneCommand {
  return standaloneCommands.some(({ name }) => name === command.name);
}

function help(): number {
  say(
    "The operator's commands. They work whether or not the server runs, and what they change is in each office's audit log.\n",
  );
  for (const command of [...commands, ...standaloneCommands]) say(`  ${usage(command)}\n      ${command.says}`);
  say(
    '\n  The database is DATABASE_URL (and MIGRATE_DATABASE_URL), or the embedded one in DATA_DIR. See docs/operating.md.',
  );
  return 0;
}

function errorMessage(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nscript/anteroom help lists the commands.`;
  if (isDatabaseAway(error))
    return 'The database could not be reached. Is DATABASE_URL right, and is the server running?';
  return `That did not work: ${error instanceof Error ? error.message : String(error)}`;
}
