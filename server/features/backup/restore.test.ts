import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { patient, queue, secondWays } from '#contract/index.ts';
import { chainAllOffices } from '#server/features/audit/chain-entries.ts';
import { loadBuiltInForms } from '#server/features/forms/index.ts';
import { textCommands } from '#server/features/texting/commands.ts';
import { claimDueTexts, usualPace } from '#server/features/texting/send-texts.ts';
import { findCommand, runCommand, runStandalone } from '#server/kit/command.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { openStorageOf } from '#server/providers/storage/index.ts';
import { openBrowser, differentCode } from '#testing/app/test-browser.ts';
import { requestForms, openVisitPhone, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { authenticatorFor } from '#testing/fixtures/authenticator.ts';
import { sendDueTexts, textsTakenByCarrier, textRow } from '#testing/fixtures/texts.ts';
import { readArchive, writeArchive, type ArchiveWriter } from './archive.ts';
import { backupCommands } from './commands.ts';
import type { BackupHeader } from './backup-format.ts';
import { newKeyPair, openLock } from './encryption.ts';
import { openSigner } from './signature.ts';

const commands = backupCommands(openStorageOf);
let folder: string;
let keys: Awaited<ReturnType<typeof newKeyPair>>;
let postgres: EmbeddedPostgres;
let t: TestApp;
let backup: string;
let signer: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-restore-'));
  keys = await newKeyPair();
  await writeFile(join(folder, 'key'), keys.identity);
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'source') });
  await migrate(postgres.url, postgres.appUrl);
  t = await openInstallation(postgres, join(folder, 'source'));
  await loadBuiltInForms(t.services);
}, 120_000);
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await t?.close();
  await postgres?.release();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

function openInstallation({ url, appUrl }: EmbeddedPostgres, dataDir: string, at = new Date()): Promise<TestApp> {
  return openTestApp({ url, appUrl, at, env: { NODE_ENV: 'production', DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' } });
}

async function anteroom(dataDir: string, ...typed: string[]): Promise<string> {
  const env = {
    NODE_ENV: 'production',
    LOCAL_PROVIDERS: '1',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    MIGRATE_DATABASE_URL: '',
    BACKUP_RECIPIENT: keys.recipient,
    BACKUP_KEY_FILE: join(folder, 'key'),
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const lines: string[] = [];
  expect(await runStandalone(findCommand(commands, typed), typed, (line) => void lines.push(line))).toBe(0);
  return lines.join('\n');
}

const newFolder = (name: string) => mkdtemp(join(folder, `${name}-`));

/** Sets `backup` and `signer`. */
async function makeBackup(): Promise<void> {
  const into = await newFolder('backups');
  const output = await anteroom(join(folder, 'source'), 'backup', into, '--quiet');
  const [name = 'no backup'] = (await readdir(into)).filter((file) => file.endsWith('.backup'));
  backup = join(into, name);
  signer = /Signer: (ed25519:\S+)/.exec(output)?.[1] ?? '';
}

describe('a restored installation', () => {
  let restored: EmbeddedPostgres;
  let copy: TestApp;
  let codeOfApp: (at: Date) => string;
  let form: { visitToken: string; memberId: string; pdf: Buffer };
  let otherVisitToken: string;
  let queued: { textId: string; phone: string; visitToken: string };
  let sending: { textId: string; phone: string };
  const email = 'app@restore.test';

  beforeAll(async () => {
    await t.addStaff({ name: 'Dana Whitlock', email }, [t.maple]);
    const desk = openBrowser(t);
    await desk.signIn({ email });
    codeOfApp = authenticatorFor((await desk.call(secondWays.startAuthenticator)).body.secret);
    const confirmed = await desk.call(secondWays.confirmAuthenticator, { code: codeOfApp(t.now()) });
    expect(confirmed.status).toBe(200);

    await requestForms(t, t.maple);
    const submitted = await submittedForm(t);
    const visitToken = await t.provedToken(submitted.visit.id);
    const { body } = await openVisitPhone(t, visitToken).open(submitted.memberId);
    const pdf = (await t.app.inject(body.url)).rawPayload;
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    form = { visitToken, memberId: submitted.memberId, pdf };
    otherVisitToken = (await t.visit({ office: t.other })).token;

    sending = await textWithLink('+12125550171');
    await claimDueTexts(t.services, { name: 'killed', pace: usualPace }, 1_000);
    expect(await textRow(t, sending.textId)).toMatchObject({ state: 'sending' });
    queued = await textWithLink('+12125550172');
    expect(await textRow(t, queued.textId)).toMatchObject({ state: 'queued' });

    await chainAllOffices(t.services);
    await makeBackup();
    const dataDir = join(folder, 'copy');
    const output = await anteroom(dataDir, 'restore', backup, '--signer', signer);
    expect(output).toContain('Restored into');
    restored = await startEmbeddedPostgres({ dataDir });
    copy = await openInstallation(restored, dataDir, new Date(t.now().getTime() + 120_000));
  }, 180_000);
  afterAll(async () => {
    await copy?.close();
    await restored?.release();
  }, 60_000);

  test('a backup has the signed heads before the database, then files and secrets: no head is newer than its rows', async () => {
    const parts: string[] = [];
    const lock = openLock({ identity: keys.identity });
    for await (const { name, content, isFolder } of readArchive(lock, createReadStream(backup))) {
      if (!isFolder) await buffer(content);
      const [part = name] = name.split('/');
      if (parts.at(-1) !== part) parts.push(part);
    }
    const order = ['audit', 'database', 'files', 'secrets'];
    expect(parts.filter((part) => order.includes(part))).toEqual(order);
  });

  /** A queued text with an encrypted link, as the desk creates it. */
  async function textWithLink(phone: string) {
    const visit = await t.visit({ phone });
    const before = new Set((await t.texts()).map(({ id }) => id));
    const invited = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
    expect(invited.status).toBe(200);
    const text = (await t.texts()).find(({ id }) => !before.has(id));
    const visitToken = /\/visit\/([\w-]+)/.exec(text?.sent ?? '')?.[1] ?? '';
    expect(visitToken).not.toBe('');
    expect(text?.body).toContain('{link}');
    return { textId: text?.id ?? '', phone, visitToken };
  }

  test('after a restore, a person signs in with the authenticator app that was set up before the backup', async () => {
    // The source sent this address a code moments ago, and the limit of one code in 30 s came along with the backup.
    await sql`delete from rate_limit`.execute(copy.owner);
    const desk = openBrowser(copy);
    expect(await desk.signIn({ email })).toMatchObject({ gate: { because: 'locked' }, unlockBy: ['authenticator'] });
    const code = codeOfApp(copy.now());
    const enter = (digits: string) => desk.call(secondWays.unlockWithAuthenticator, { code: digits });
    expect((await enter(differentCode(code))).body.code).toBe('wrong_code');
    expect((await enter(code)).body.gate.because).toBe('ready');
    expect((await desk.call(queue.listQueue)).status).toBe(200);
  });

  test("after a restore, a patient's file opens over HTTP for its office only", async () => {
    const { body } = await openVisitPhone(copy, form.visitToken).open(form.memberId);
    const server = await copy.listen();
    const answer = await fetch(new URL(body.url, server));
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await answer.arrayBuffer()).equals(form.pdf)).toBe(true);
    expect((await openVisitPhone(copy, otherVisitToken).open(form.memberId)).status).toBe(404);
  });

  test('after a restore, a held text is sent with a working link, and one that was being sent is never resent', async () => {
    expect(await stateOf(queued.textId)).toBe('held');
    expect(await stateOf(sending.textId)).toBe('unknown');
    const say = () => undefined;
    const desk = { services: copy.services, owner: copy.owner, ownerUrl: copy.url, say };
    expect(await runCommand(textCommands, ['texts', 'release'], desk)).toBe(0);
    await sendDueTexts(copy.services);
    const [text, ...more] = await textsTakenByCarrier(copy, queued.phone);
    expect(more).toEqual([]);
    const token = /\/visit\/([\w-]+)/.exec(text?.body ?? '')?.[1] ?? '';
    expect(token).toBe(queued.visitToken);
    const page = await copy.call(patient.readPatientVisit, { params: { token } }, { as: null });
    expect(page).toMatchObject({ status: 200, body: { access: 'all', statusCode: 'INVITED' } });
    const list = await openVisitPhone(copy, token).list();
    expect(list.status).toBe(200);
    expect(await textsTakenByCarrier(copy, sending.phone)).toEqual([]);
    expect(await stateOf(sending.textId)).toBe('unknown');
  });

  const stateOf = async (id: string) =>
    (await copy.owner.selectFrom('text').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;
});

interface Entry {
  name: string;
  isFolder: boolean;
  content: Buffer;
}

describe('a forged backup for a public recipient', { timeout: 120_000 }, () => {
  let entries: Entry[];
  let openFolder: string;
  let witness = '';
  beforeAll(async () => {
    // PostgreSQL's own user must be able to write there, or an injected command would leave no trace.
    openFolder = await mkdtemp(join(tmpdir(), 'anteroom-witness-'));
    await chmod(openFolder, 0o777);
    await makeBackup();
    entries = await entriesOf(backup);
  }, 120_000);
  afterAll(() => rm(openFolder, { recursive: true, force: true }));
  afterEach(() => expect(witness !== '' && existsSync(witness), 'a command of the backup ran').toBe(false));

  /** The attacker knows the recipient and how backups look, and signs with a key of their own. */
  async function forge(change: (entries: Entry[]) => Entry[] = (all) => all, header: Partial<BackupHeader> = {}) {
    witness = join(openFolder, `ran-${randomUUID()}`);
    const isSigned = header.format !== 1;
    const attacker = openSigner(await newFolder('attacker'));
    const name = header.signer ?? attacker.name;
    const changed = change(entries)
      .filter(({ name }) => name !== 'signature.json')
      .map((entry) => (entry.name === 'anteroom-backup.json' ? withHeader(entry, { ...header, signer: name }) : entry));
    const file = join(await newFolder('forged'), 'forged.backup');
    const output = createWriteStream(file);
    const archive = await writeArchive(openLock({ recipient: keys.recipient }), output);
    for (const entry of withManifest(changed)) await add(archive, entry);
    if (isSigned) {
      const signature = Buffer.from(JSON.stringify({ signer: name, signature: attacker.sign(archive.digest()) }));
      await archive.add('signature.json', signature.length, [signature]);
    }
    await archive.finish();
    return file;
  }

  async function expectRefused(file: string, reason: RegExp, ...options: string[]): Promise<void> {
    const target = join(await newFolder('target'), 'data');
    await expect(anteroom(target, 'restore', file, ...options)).rejects.toThrow(reason);
    expect(existsSync(target)).toBe(false);
  }

  const settings = () =>
    Buffer.from(
      `archive_mode = on\narchive_command = 'touch ${witness}'\nrestore_command = 'touch ${witness}'\n` +
        `archive_cleanup_command = 'touch ${witness}'\nrecovery_end_command = 'touch ${witness}'\n`,
    );
  const withSettings = (all: Entry[]) =>
    all.map((entry) =>
      /^database\/postgresql(\.auto)?\.conf$/.test(entry.name) ? { ...entry, content: settings() } : entry,
    );
  const adding =
    (name: string, content = Buffer.from('x')) =>
    (all: Entry[]) =>
      all.toSpliced(1, 0, { name, isFolder: false, content });

  test('restore refuses a forged backup if the command names no signer', async () => {
    await expectRefused(backup, /say who signed it: add --signer/);
    await expectRefused(backup, /not both/, '--signer', signer, '--unsigned');
    await expectRefused(backup, /A signer begins with "ed25519:"/, '--signer', 'ed25519:short');
  });

  test('a forged backup is refused if another key signed it, even under the right name', async () => {
    await expectRefused(await forge(withSettings), /signed by another installation/, '--signer', signer);
    await expectRefused(await forge(withSettings, { signer }), /signature of this backup is wrong/, '--signer', signer);
  });

  test('restore refuses a forged backup without a signature, unless the command has --unsigned', async () => {
    await expectRefused(await forge(withSettings, { format: 1 }), /no signature/, '--signer', signer);
  });

  test('a forged backup runs no command, even with --unsigned: PostgreSQL gets our settings', async () => {
    const hba = Buffer.from('host all all 0.0.0.0/0 trust\n');
    const open = (all: Entry[]) =>
      withSettings(all).map((entry) => (entry.name === 'database/pg_hba.conf' ? { ...entry, content: hba } : entry));
    const target = join(await newFolder('target'), 'data');
    expect(await anteroom(target, 'restore', await forge(open, { format: 1 }), '--unsigned')).toContain(
      'Restored into',
    );
    expect(existsSync(witness), 'a command of the backup ran').toBe(false);
    const data = join(target, 'postgres/data');
    expect(await readFile(join(data, 'pg_hba.conf'), 'utf8')).not.toContain('0.0.0.0/0');
    for (const name of ['postgresql.conf', 'postgresql.auto.conf'])
      expect(await readFile(join(data, name), 'utf8'), name).not.toContain(witness);
  });

  test.each([
    'database/recovery.signal',
    'database/standby.signal',
    'database/tablespace_map',
    'database/postgresql.base.conf',
    'database/pg_tblspc/16384',
    'postgres/postgresql-18.4.0/native/bin/postgres',
    'postgres/restored/postgresql.auto.conf',
    'postgres/port',
    'secrets/folder/session',
    'database.dump/00000001',
    'restore-not-finished',
    'elsewhere/file',
  ])('a forged backup with the unexpected member %s is refused', async (name) => {
    const beginningWith = (all: Entry[]) => adding(name)(all).slice(0, 2);
    await expectRefused(await forge(beginningWith, { format: 1 }), /does not belong into a backup/, '--unsigned');
  });

  test('a forged backup with a database file that PostgreSQL did not send is refused', async () => {
    const file = await forge(adding('database/base/1/999999'), { format: 1 });
    await expectRefused(file, /PostgreSQL did not send the database file base\/1\/999999/, '--unsigned');
  });

  test('a signed backup that was changed later is refused', async () => {
    expect(entries.map(({ name }) => name)).toContain('secrets/session');
    const output = createWriteStream(join(folder, 'changed.backup'));
    const archive = await writeArchive(openLock({ recipient: keys.recipient }), output);
    const changed = (entry: Entry) =>
      entry.name === 'secrets/session' ? { ...entry, content: Buffer.from('abc') } : entry;
    for (const entry of entries) await add(archive, changed(entry));
    await archive.finish();
    await expectRefused(join(folder, 'changed.backup'), /signature of this backup is wrong/, '--signer', signer);
  });

  test('verify prints the signer, which the key file may name', async () => {
    expect(await anteroom(join(folder, 'nowhere'), 'backup', 'verify', backup)).toContain(
      `Signed by ${signer}. Compare`,
    );
    await writeFile(join(folder, 'key'), `# signer: ${signer}\n${keys.identity}\n`);
    try {
      const said = await anteroom(join(folder, 'nowhere'), 'backup', 'verify', backup);
      expect(said).toContain(`Signed by ${signer}, as it should be.`);
      await expectRefused(await forge(), /signed by another installation/);
      expect(await anteroom(join(folder, 'source'), 'backup', 'signer')).toBe(signer);
    } finally {
      await writeFile(join(folder, 'key'), keys.identity);
    }
  });
});

async function entriesOf(file: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { name, isFolder, content } of readArchive(
    openLock({ identity: keys.identity }),
    createReadStream(file),
  ))
    entries.push({ name, isFolder, content: isFolder ? Buffer.alloc(0) : await buffer(content) });
  return entries;
}

const add = (archive: ArchiveWriter, { name, isFolder, content }: Entry) =>
  isFolder ? archive.addFolder(name) : archive.add(name, content.length, [content]);

const withHeader = (entry: Entry, header: Partial<BackupHeader>): Entry => ({
  ...entry,
  content: Buffer.from(JSON.stringify({ ...JSON.parse(entry.content.toString()), ...header })),
});

/** PostgreSQL's list of files, rebuilt for the attacker's changed files. */
function withManifest(entries: Entry[]): Entry[] {
  const contents = new Map(entries.map(({ name, content }) => [name, content]));
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
  return entries.map((entry) => {
    if (entry.name !== 'database/backup_manifest') return entry;
    const manifest = JSON.parse(entry.content.toString()) as {
      Files: { Path: string; Size: number; Checksum: string }[];
      'Manifest-Checksum'?: string;
    };
    for (const file of manifest.Files) {
      const content = contents.get(`database/${file.Path}`) ?? Buffer.alloc(0);
      [file.Size, file.Checksum] = [content.length, sha256(content)];
    }
    delete manifest['Manifest-Checksum'];
    const list = `${JSON.stringify(manifest).replace(/}$/, '')},\n`;
    return { ...entry, content: Buffer.from(`${list}"Manifest-Checksum": "${sha256(list)}"}\n`) };
  });
}
