import { existsSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnv } from '#server/env.ts';
import { UsageError, type CommandArguments, type StandaloneCommand } from '#server/kit/command.ts';
import { migrationFiles } from '#server/kit/db/migrate.ts';
import { dataDirOf } from '#server/kit/project-root.ts';
import { expectWholeInstallation } from './restore-marker.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { BackupUnreadable } from './archive.ts';
import type { BackupSummary } from './backup-format.ts';
import { describe, reportDamaged, summaryText, type Say } from './describe-backup.ts';
import { BackupUnopened, newKeyPair, openLock, readLockSecret, readTrust, type LockSecret } from './encryption.ts';
import { makeBackup, programVersion } from './make-backup.ts';
import { showProgress, showUnpacking, printLine } from './show-progress.ts';
import { checkingSink, readBackup } from './read-backup.ts';
import { openInput, restore } from './restore.ts';
import { openSigner } from './signature.ts';
import { settleDatabase } from './settle-database.ts';
import { expectAllRows, openSourceDatabase, readFacts } from './source-database.ts';
import { countServerConnections } from './sql.ts';
import { openTarget, timeOfBackup } from './backup-target.ts';

const lockOptions = ['passphrase-file', 'key-file', 'recipient'] as const;

/** They open the database themselves or not at all: a backup must not migrate, and a restore needs an empty installation. */
export const backupCommands = (openStorage: OpenStorage): readonly StandaloneCommand[] => [
  {
    name: 'backup verify',
    takes: 'FILE|- [--passphrase-file FILE] [--key-file FILE] [--signer ed25519:…]',
    says: 'Reads a whole backup and checks its signature and every checksum in it; writes nothing',
    options: ['passphrase-file', 'key-file', 'signer'],
    run: verify,
  },
  {
    name: 'backup key',
    takes: 'FILE',
    says: 'Makes a key pair: FILE opens backups (keep it elsewhere), the recipient that is printed only makes them',
    run: makeKey,
  },
  {
    name: 'backup signer',
    takes: '',
    says: 'Prints the public key of the signatures on this installation’s backups; a restore asks for it',
    run: printSigner,
  },
  {
    name: 'backup',
    takes: 'DIR|- [--passphrase-file FILE] [--recipient age1…] [--quiet]',
    says: 'Writes an encrypted backup of everything into DIR or to standard output, while the server runs',
    options: lockOptions,
    switches: ['quiet'],
    run: (asked, say) => backUp(asked, say, openStorage),
  },
  {
    name: 'restore settle',
    takes: '[--release-texts]',
    says: 'What `restore` does after the copy, for a database that PostgreSQL’s own tools restored from a WAL archive; before the servers start',
    switches: ['release-texts'],
    run: settleRestored,
  },
  {
    name: 'restore',
    takes: 'FILE|- [--passphrase-file FILE] [--key-file FILE] [--signer ed25519:… | --unsigned] [--release-texts]',
    says: 'Restores a backup into an empty DATA_DIR, ends all sessions and holds texts, pushes and emails that were waiting',
    options: ['passphrase-file', 'key-file', 'signer'],
    switches: ['release-texts', 'unsigned'],
    run: (asked, say) => restoreBackup(asked, say, openStorage),
  },
  {
    name: 'upgrade',
    takes: '[--backups DIR]',
    says: 'Compares the database with this version of the program and says what an upgrade needs; exit code 1 when something is left to do',
    options: ['backups'],
    run: upgradeNotes,
  },
];

/** The file store selected by the environment; injected, because a feature knows only the port. */
type OpenStorage = (dataDir: string, environment: NodeJS.ProcessEnv) => Storage;

async function backUp(
  { operands, options, switches }: CommandArguments,
  say: Say,
  openStorage: OpenStorage,
): Promise<number> {
  const folder = oneOperand(operands, 'backup DIR, or backup - for standard output');
  const lock = openLock(await readLockSecret('make', options));
  const env = readEnv();
  expectWholeInstallation(env.dataDir);
  const storage = openStorage(env.dataDir, process.env);
  const database = await openSourceDatabase(env);
  try {
    const signer = openSigner(env.dataDir);
    const target = openTarget(folder, new Date());
    let summary: BackupSummary;
    try {
      summary = await makeBackup(
        env,
        database,
        storage,
        lock,
        signer,
        target.output,
        showProgress(switches.has('quiet')),
      );
      await target.keep();
    } catch (error) {
      await target.discard();
      throw toReadableError(error);
    }
    const report = target.path === null ? printLine : say;
    report(`Backed up ${summaryText(summary)}.`);
    if (target.path !== null) report(target.path);
    report(`Signer: ${signer.name} (a restore asks for it: keep it with the key or passphrase)`);
    return reportDamaged(summary, printLine);
  } finally {
    await database.release();
  }
}

async function verify({ operands, options }: CommandArguments, say: Say): Promise<number> {
  const file = oneOperand(operands, 'backup verify FILE');
  const secret = await readLockSecret('open', options);
  // Verifying writes nothing, so it also works without a signer: then it only says who signed.
  const trust = readTrust(secret, {
    signer: options.signer,
    unsigned: options.signer === undefined && !knowsSigner(secret),
  });
  const contents = await readBackup(openLock(secret), openInput(file), checkingSink, trust).catch(refuse);
  for (const line of describe(contents)) say(line);
  const { signer } = contents.header;
  if (trust.signer !== null) say(`Signed by ${signer}, as it should be.`);
  else if (signer !== undefined)
    say(`Signed by ${signer}. Compare it with what "backup signer" prints on your server.`);
  else say('Not signed: an older version of the program made it.');
  say('Everything in it is as it was written.');
  return reportDamaged(contents.summary, say);
}

async function restoreBackup(
  { operands, options, switches }: CommandArguments,
  say: Say,
  openStorage: OpenStorage,
): Promise<number> {
  const file = oneOperand(operands, 'restore FILE');
  const dataDir = dataDirOf(process.env);
  const secret = await readLockSecret('open', options);
  const trust = readTrust(secret, { signer: options.signer, unsigned: switches.has('unsigned') });
  const storage = openStorage(dataDir, process.env);
  const releaseTexts = switches.has('release-texts');
  const input = openInput(file);
  const contents = await restore(openLock(secret), input, {
    dataDir,
    environment: process.env,
    storage,
    trust,
    releaseTexts,
    say,
    progress: showUnpacking(input),
  }).catch(refuse);
  for (const line of describe(contents)) say(line);
  say(`Restored into ${dataDir}.`);
  return reportDamaged(contents.summary, say);
}

/** What `restore` does after the copy. Of several nodes it runs once, on the coordinator. */
async function settleRestored({ operands, switches }: CommandArguments, say: Say): Promise<void> {
  if (operands.length > 0) throw new UsageError('Usage: script/anteroom restore settle [--release-texts]');
  const database = await openSourceDatabase(readEnv());
  const { ownerUrl } = database;
  try {
    await expectAllRows(ownerUrl);
    if ((await countServerConnections(ownerUrl)) > 0)
      throw new UsageError(
        'A server is connected to this database. Nothing was changed. Stop the servers, and pgbouncer.',
      );
    const releaseTexts = switches.has('release-texts');
    await settleDatabase({ ownerUrl, appUrl: process.env.DATABASE_URL, releaseTexts, say });
    if ((await countServerConnections(ownerUrl)) > 0)
      throw new UsageError(
        'A server connected to this database meanwhile. It may have sent texts that waited, and its screens may show what is out of date. ' +
          'Stop the servers, and pgbouncer; then run "script/anteroom restore settle" again, and start them.',
      );
  } finally {
    await database.release();
  }
}

async function makeKey({ operands }: CommandArguments, say: Say): Promise<void> {
  const file = oneOperand(operands, 'backup key FILE');
  const { identity, recipient } = await newKeyPair();
  try {
    writeFileSync(file, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new UsageError(`${file} could not be written: ${(error as Error).message}`);
  }
  say(`BACKUP_RECIPIENT=${recipient}`);
  printLine(`${file} opens the backups made for it. Keep it away from this machine, twice: without it they are lost.`);
  printLine(
    'Also add the line "# signer: ed25519:…" to it, with what "backup signer" prints on the server: a restore asks for it.',
  );
}

async function printSigner({ operands }: CommandArguments, say: Say): Promise<void> {
  if (operands.length > 0) throw new UsageError('Usage: script/anteroom backup signer');
  const dataDir = dataDirOf(process.env);
  if (!existsSync(join(dataDir, 'secrets')))
    throw new UsageError(`There is no installation in ${dataDir}. Is DATA_DIR right?`);
  say(openSigner(dataDir).name);
}

const knowsSigner = (secret: LockSecret) =>
  Boolean(process.env.BACKUP_SIGNER || ('identity' in secret && secret.signer));

/** How recent a backup must be before an upgrade. */
const freshHours = 24;

async function upgradeNotes({ operands, options }: CommandArguments, say: Say): Promise<number> {
  if (operands.length > 0) throw new UsageError('Usage: script/anteroom upgrade [--backups DIR]');
  const env = readEnv();
  const migrations = (await migrationFiles()).sort();
  const database = await openSourceDatabase(env);
  let left = 0;
  try {
    const { schema, postgres } = await readFacts(database.ownerUrl);
    const pending = migrations.filter((name) => name > schema);
    say(`Program ${programVersion()}, PostgreSQL ${postgres}.`);
    say(`The database is at ${schema}, the program at ${migrations.at(-1)}.`);
    if (schema > (migrations.at(-1) ?? '')) {
      left++;
      say(
        'The database is NEWER than this program: start the newer version again, or restore the backup from before the upgrade.',
      );
    } else if (pending.length > 0)
      say(`When the server starts, it migrates: ${pending.join(', ')}. There is no way back but a backup.`);
    else say('Nothing is left to migrate.');
  } finally {
    await database.release();
  }
  const folder = options.backups ?? process.env.BACKUP_DIR;
  const newest = folder ? await newestBackup(folder) : null;
  const hours = newest ? (Date.now() - newest.getTime()) / 3_600_000 : Infinity;
  if (!folder) say('Backups: name their folder with --backups DIR or BACKUP_DIR and their age is checked.');
  else if (newest) say(`Newest backup in ${folder}: ${newest.toISOString()}, ${Math.floor(hours)} hours old.`);
  else say(`There is no backup in ${folder}.`);
  if (folder && hours > freshHours) {
    left++;
    say('Before you upgrade: script/anteroom backup DIR, then script/anteroom backup verify FILE.');
  }
  say('Upgrade: 1. back up and verify  2. stop all servers  3. put the new version in place (git pull)');
  say('         4. start it: it installs, builds and migrates by itself  5. script/anteroom audit verify');
  say(
    'Back: stop, put the old version in place, empty DATA_DIR, script/anteroom restore FILE. What came after the backup is lost.',
  );
  return left > 0 ? 1 : 0;
}

async function newestBackup(folder: string): Promise<Date | null> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new UsageError(`The folder ${folder} could not be read: ${error.message}`);
  });
  const times = names.map(timeOfBackup).filter((time) => time !== null);
  return times.reduce<Date | null>((newest, time) => (newest && newest > time ? newest : time), null);
}

function oneOperand(operands: string[], usage: string): string {
  const [word, ...more] = operands;
  if (word === undefined || more.length > 0) throw new UsageError(`Usage: script/anteroom ${usage}`);
  return word;
}

function refuse(error: unknown): never {
  throw toReadableError(error);
}

function toReadableError(error: unknown): unknown {
  if (error instanceof BackupUnreadable || error instanceof BackupUnopened) return new Error(error.message);
  const { code } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT') return new Error('The disk is full. No backup was saved.');
  return error;
}
