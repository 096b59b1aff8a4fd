import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { readEnv } from '#server/env.ts';
import { chainAllOffices } from '#server/features/audit/chain-entries.ts';
import { openServices } from '#server/open-app.ts';
import { asOffice, openDb, openOwnerPool } from '#server/kit/db/db.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { newFileKey } from '#server/providers/storage/port.ts';
import { differences, hashTables } from '#testing/fixtures/table-hashes.ts';
import { startDesks } from '#bench/ground/desks.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { startBuiltServer, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { checkMoneyLedger } from './money-ledger.ts';

/**
 * Backs up a running installation and restores it into an empty one. Everything acknowledged before the backup is there, every table and
 * file is the same, damaged backups are refused, and a killed backup leaves no file. `blind` changes a row and a file after the restore:
 * the drill must detect that.
 */
export async function drillBackup(size: { kills: number; files: number; blind: boolean }): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-drill-backup-'));
  const source = await openInstallation(join(folder, 'source'));
  const anteroom = await commandsFor(folder);
  try {
    const offices = await addOffices(source.ground, 4, 20);
    await putFiles(source, size.files);
    await anteroom.trust(source.dataDir);
    return [
      ...(await underLoad(source, offices, folder, anteroom)),
      ...(await atRest(source, folder, anteroom, size.blind)),
      ...(await damagedBackups(folder, anteroom)),
      await killedBackups(source, folder, anteroom, size.kills),
      await checkMoneyLedger(source.ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    await source.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Installation {
  dataDir: string;
  ground: BenchDatabase;
  close(): Promise<void>;
}

/** An installation with the embedded PostgreSQL, like an operator's without any configuration. */
async function openInstallation(dataDir: string): Promise<Installation> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.url, postgres.appUrl);
  const env = readEnv({ DATA_DIR: dataDir, NODE_ENV: 'production', LOCAL_PROVIDERS: '1' });
  const services = openServices(env, postgres.appUrl, pino({ level: 'error' }));
  const owner = openDb(openOwnerPool(postgres.url));
  const session = async (personId: string) => {
    const token = newToken();
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 43_200_000)];
    const row = { id: services.id(), personId, tokenHash: hashToken(token), kind: 'bearer' as const, expiresAt };
    await owner
      .insertInto('auth.session')
      .values({ ...row, createdAt, activeAt: createdAt })
      .execute();
    return token;
  };
  return {
    dataDir,
    ground: { url: postgres.url, env, services, owner, session } as BenchDatabase,
    async close() {
      await services.live.close();
      await owner.destroy();
      await services.db.destroy();
      await postgres.release();
    },
  };
}

type Anteroom = Awaited<ReturnType<typeof commandsFor>>;

/** `script/anteroom` with a key pair: the backups need no passphrase, which is slow by design. */
async function commandsFor(folder: string) {
  const keyFile = join(folder, 'key');
  const start = (dataDir: string, args: string[], env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, [join(projectRoot, 'server/cli.ts'), ...args], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        NODE_ENV: 'production',
        LOCAL_PROVIDERS: '1',
        DATA_DIR: dataDir,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, ended: ended.then((code) => ({ code, said })) };
  };
  const made = await start(folder, ['backup', 'key', keyFile], {}).ended;
  const recipient = /BACKUP_RECIPIENT=(age1\S+)/.exec(made.said)?.[1];
  if (!recipient) throw new Error(`no key was made: ${made.said}`);
  const keys: NodeJS.ProcessEnv = { BACKUP_RECIPIENT: recipient, BACKUP_KEY_FILE: keyFile };
  return {
    start: (dataDir: string, ...args: string[]) => start(dataDir, args, keys),
    run: (dataDir: string, ...args: string[]) => start(dataDir, args, keys).ended,
    /** From now on, restores trust this installation's backups. */
    async trust(dataDir: string) {
      keys.BACKUP_SIGNER = (await start(dataDir, ['backup', 'signer'], {}).ended).said.trim();
    },
  };
}

async function putFiles({ ground }: Installation, count: number): Promise<void> {
  const { storage } = ground.services.providers;
  const about = { contentType: 'application/pdf' };
  for (let i = 0; i < count; i++)
    await storage.put(newFileKey(ground.services, '2200000000'), randomBytes(1 + ((i * 7_919) % 60_000)), about);
}

async function backUp(anteroom: Anteroom, dataDir: string, into: string): Promise<string> {
  await mkdir(into, { recursive: true });
  const { code, said } = await anteroom.run(dataDir, 'backup', into);
  const name = (await readdir(into)).find((file) => file.endsWith('.backup'));
  if (code !== 0 || !name) throw new Error(`the backup failed: ${said}`);
  return join(into, name);
}

/** Desks write, the audit log is chained continuously, and files arrive while the backup runs. */
async function underLoad(
  source: Installation,
  offices: BenchOffice[],
  folder: string,
  anteroom: Anteroom,
): Promise<Line[]> {
  const { dataDir, ground } = source;
  const server = await startBuiltServer({
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '1',
  });
  const desks = startDesks([server.url], offices, ground.owner);
  await queueForTomorrow(ground.url);
  let isOver = false;
  const chaining = (async () => {
    for (; !isOver; await sleep(50)) {
      await chainAllOffices(ground.services);
      await putFiles(source, 1);
    }
  })();
  await sleep(1_000);
  const before = desks.written();
  const began = performance.now();
  const file = await backUp(anteroom, dataDir, join(folder, 'hot'));
  const seconds = (performance.now() - began) / 1000;
  const after = new Set(desks.written());
  await sleep(300);
  isOver = true;
  await chaining;
  const { failures, written, limited } = await desks.stop();
  await server.stop();

  const target = join(folder, 'from-hot');
  const restored = await anteroom.run(target, 'restore', file);
  if (restored.code === null) throw new Error(restored.said);
  const copy = await openInstallation(target);
  const server2 = await startBuiltServer({
    DATA_DIR: target,
    DATABASE_URL: '',
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '1',
  });
  try {
    const found = await messagesIn(copy.ground);
    const lost = before.filter((body) => !found.has(body)).length;
    // Each desk has at most one unacknowledged message in flight when the backup ends.
    const fromTheFuture = [...found].filter((body) => !after.has(body)).length;
    const texts = await textsIn(copy.ground.url);
    const oldSession = await fetch(`${server2.url}/api/virtual-queue/doctor`, {
      headers: { authorization: `Bearer ${offices[0]?.token}` },
    });
    return [
      {
        what: 'a backup under load: calls that failed meanwhile',
        figure: String(failures.length),
        beside: `${written.length} messages written, ${limited} over a limit, ${seconds.toFixed(1)} s${failures.length > 0 ? ': ' : ''}${failures.slice(0, 3).join('; ')}`,
        aim: '0',
        met: failures.length === 0,
      },
      {
        what: 'restored: acknowledged before the backup and lost, or written after it',
        figure: `${lost} lost, ${fromTheFuture} from after it`,
        beside: `${before.length} before, ${found.size} restored, ${after.size} when it ended`,
        aim: `0, ≤ ${offices.length} on their way`,
        met: lost === 0 && fromTheFuture <= offices.length && found.size > 0,
      },
      {
        what: 'the restored audit log against the restored signed heads',
        figure: restored.said.includes('Nothing was tampered with.') ? 'unchanged' : 'FOUND something',
        beside: `exit code ${restored.code}`,
        aim: 'unchanged, 0',
        met: restored.code === 0 && restored.said.includes('Nothing was tampered with.'),
      },
      {
        what: 'texts that would leave by themselves after the restore',
        figure: String(texts.leaving),
        beside: `${texts.held} held`,
        aim: '0, at least one held',
        met: texts.leaving === 0 && texts.held > 0,
      },
      {
        what: 'a session from before the restore',
        figure: String(oldSession.status),
        beside: '',
        aim: '401',
        met: oldSession.status === 401,
      },
    ];
  } finally {
    await server2.stop();
    await copy.close();
  }
}

/** A text due tomorrow, among the demo's. */
const queueForTomorrow = (url: string) =>
  ask(
    url,
    `insert into text (office_id, id, kind, from_phone, to_phone, body, state, send_at, created_at)
     select id, gen_random_uuid(), 'message', text_number, '+12125550199', 'tomorrow', 'queued', now() + '1 day', now() from office limit 1`,
  );

async function textsIn(url: string): Promise<{ leaving: number; held: number }> {
  const [counted] = await ask<{ leaving: number; held: number }>(
    url,
    `select count(*) filter (where state in ('queued', 'sending'))::int as leaving, count(*) filter (where state = 'held')::int as held from text`,
  );
  return counted ?? { leaving: -1, held: 0 };
}

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function messagesIn({ services }: BenchDatabase): Promise<Set<string>> {
  const { rows } = await services.pool.query<{ id: string }>('select door_office_ids() as id');
  const found = new Set<string>();
  for (const { id } of rows) {
    const messages = await asOffice(services.db, id, (tx) =>
      tx.selectFrom('message').select('body').where('officeId', '=', id).where('body', 'like', 'desk %').execute(),
    );
    for (const { body } of messages) found.add(body);
  }
  return found;
}

/** With no writes, every table and file of the restored installation equals the source's. */
async function atRest(source: Installation, folder: string, anteroom: Anteroom, blind: boolean): Promise<Line[]> {
  const file = await backUp(anteroom, source.dataDir, join(folder, 'cold'));
  const target = join(folder, 'from-cold');
  const restored = await anteroom.run(target, 'restore', file, '--release-texts');
  if (restored.code !== 0) throw new Error(`the restore failed: ${restored.said}`);
  const again = await anteroom.run(target, 'restore', file);
  const copy = await openInstallation(target);
  try {
    if (blind) await breakSomething(copy);
    const [tables, restoredTables] = await Promise.all([
      hashTables(source.ground.url, 'pg_authid'),
      hashTables(copy.ground.url, 'pg_authid'),
    ]);
    const [files, restoredFiles] = await Promise.all([hashFiles(source.dataDir), hashFiles(target)]);
    const wrongTables = differences(tables, restoredTables);
    const wrongFiles = differences(files, restoredFiles);
    const rows = [...tables.values()].reduce((sum, hash) => sum + Number(hash.split(' ')[0]), 0);
    const aim = blind ? 'some' : '0';
    return [
      {
        what: 'tables and roles that differ after a restore',
        figure: `${wrongTables.length} of ${tables.size}`,
        beside: wrongTables.slice(0, 5).join(', ') || `${rows.toLocaleString('en')} rows`,
        aim,
        met: blind ? wrongTables.length > 0 : wrongTables.length === 0 && rows > 0,
      },
      {
        what: 'files of DATA_DIR that differ after a restore',
        figure: `${wrongFiles.length} of ${files.size}`,
        beside: wrongFiles.slice(0, 5).join(', '),
        aim,
        met: blind ? wrongFiles.length > 0 : wrongFiles.length === 0 && files.size > 0,
      },
      {
        what: 'a restore over an installation',
        figure: again.code === 2 ? 'refused' : `exit code ${again.code}`,
        beside: '',
        aim: 'refused',
        met: again.code === 2 && again.said.includes('is not empty'),
      },
    ];
  } finally {
    await copy.close();
  }
}

/** Every file of DATA_DIR except PostgreSQL's own: a new kind of file that is not backed up shows up here. */
async function hashFiles(dataDir: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(dataDir.length + 1);
    if (!entry.isFile() || /^postgres\/(data\/|port$|postgres\.log$)|^postgres\.lock/.test(path)) continue;
    hashes.set(
      path,
      createHash('sha256')
        .update(await readFile(join(dataDir, path)))
        .digest('hex'),
    );
  }
  return hashes;
}

async function breakSomething({ dataDir, ground }: Installation): Promise<void> {
  await ground.owner.updateTable('office').set({ city: 'Elsewhere' }).execute();
  const [key] = [...(await hashFiles(dataDir)).keys()].filter((path) => path.endsWith('.file'));
  await writeFile(join(dataDir, key ?? ''), 'x');
}

/** A flipped byte, a missing end, somebody else's backup: each is refused and leaves nothing behind. */
async function damagedBackups(folder: string, anteroom: Anteroom): Promise<Line[]> {
  const [name = ''] = (await readdir(join(folder, 'cold'))).filter((file) => file.endsWith('.backup'));
  const whole = await readFile(join(folder, 'cold', name));
  const flipped = Buffer.from(whole);
  const place = Math.floor(whole.length / 2);
  flipped[place] = (flipped[place] ?? 0) ^ 1;
  const cases: [string, Buffer][] = [
    ['a flipped byte', flipped],
    ['a missing end', whole.subarray(0, whole.length - 100_000)],
  ];
  const refused: string[] = [];
  for (const [what, bytes] of cases) {
    const file = join(folder, 'damaged.backup');
    await writeFile(file, bytes);
    const target = join(folder, 'from-damaged');
    const restored = await anteroom.run(target, 'restore', file);
    const isLeft = await readdir(target).then((names) => names.length > 0, () => false); // prettier-ignore
    const isRefused = restored.code === 1 && restored.said.includes('damaged or incomplete');
    if (isRefused && !isLeft) refused.push(what);
  }
  const sound = await anteroom.run(folder, 'backup', 'verify', join(folder, 'cold', name));
  return [
    {
      what: 'damaged backups refused, without a trace',
      figure: `${refused.length} of ${cases.length}`,
      beside: refused.join(', '),
      aim: 'all',
      met: refused.length === cases.length,
    },
    {
      what: 'a sound backup verified',
      figure: `exit code ${sound.code}`,
      beside: '',
      aim: '0',
      met: sound.code === 0,
    },
  ];
}

/** Killed with -9 at any moment while the file grows: no incomplete file has a backup's name, and the next backup succeeds. */
async function killedBackups(
  { dataDir }: Installation,
  folder: string,
  anteroom: Anteroom,
  kills: number,
): Promise<Line> {
  const into = join(folder, 'killed');
  await mkdir(into);
  let midway = 0;
  for (let i = 0; i < kills; i++) {
    const { child, ended } = anteroom.start(dataDir, 'backup', into);
    const known = (await readdir(into)).length;
    while ((await readdir(into)).length === known && child.exitCode === null) await sleep(5);
    await sleep(Math.random() * 300);
    if (child.exitCode === null) midway++;
    child.kill('SIGKILL');
    await ended;
  }
  // A backup that finished just before the kill may have its name, and is complete.
  const named = (await readdir(into)).filter((file) => file.endsWith('.backup'));
  const checked = await Promise.all(named.map((file) => anteroom.run(folder, 'backup', 'verify', join(into, file))));
  const broken = checked.filter(({ code }) => code !== 0).length;
  const next = await anteroom.run(dataDir, 'backup', into);
  return {
    what: `backups killed midway that left a file which is not whole`,
    figure: `${broken} of ${midway}`,
    beside: `the next one: exit code ${next.code}`,
    aim: '0, and 0',
    met: midway > 0 && broken === 0 && next.code === 0,
  };
}
