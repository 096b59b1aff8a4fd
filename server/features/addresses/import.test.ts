import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { headerLine, nppesHeader, nppesLine, writeNppesFile } from '#bench/nppes/nppes-file.ts';
import { hasCheckDigit } from '#contract/practice/office.ts';
import { UsageError, runCommand } from '#server/kit/command.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { addressCommands } from './commands.ts';
import { importNppes } from './import.ts';
import { whileImporting } from './import-lock.ts';
import { openNppes } from './nppes-file.ts';
import { searchAddresses } from './search.ts';

let testApp: TestApp;
let folder: string;
beforeAll(async () => {
  testApp = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'anteroom-nppes-'));
});
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true });
});

/** What the operator reads after this import. */
async function run(...typed: string[]): Promise<string> {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  await runCommand(addressCommands, ['import-nppes', ...typed], {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say,
  });
  return lines.join('\n');
}

let files = 0;
async function file(content: string | Buffer, name = `npidata_${++files}.csv`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const clinic = (npi: string, name: string, more: Record<string, string> = {}) =>
  nppesLine({
    NPI: npi,
    'Entity Type Code': '2',
    'Provider Organization Name (Legal Business Name)': name,
    'Provider First Line Business Practice Location Address': '12 ELM ST',
    'Provider Business Practice Location Address City Name': 'TROY',
    'Provider Business Practice Location Address State Name': 'NY',
    'Provider Business Practice Location Address Postal Code': '121800001',
    'Provider Business Practice Location Address Country Code (If outside U.S.)': 'US',
    ...more,
  });
const names = async (typed: string) => (await searchAddresses(testApp.services, typed)).map(({ name }) => name);
const inService = async () =>
  (await testApp.services.pool.query<{ n: number }>('select count(*)::int as n from nppes.address')).rows[0]?.n;
const wishes = { individuals: false, again: true, fewer: true };
const watch = { read: () => undefined, say: () => undefined, now: () => new Date() };

test('the import takes active organizations, and no people, deactivated or foreign ones', async () => {
  const gone = { 'NPI Deactivation Date': '03/14/2021' };
  const path = await file(
    headerLine +
      clinic('2000000101', 'ELM CLINIC') +
      clinic('2000000119', 'GONE CLINIC', gone) +
      clinic('2000000127', 'BACK CLINIC', { ...gone, 'NPI Reactivation Date': '05/01/2022' }) +
      clinic('2000000135', 'LEFT AGAIN CLINIC', { ...gone, 'NPI Reactivation Date': '05/01/2019' }) +
      clinic('2000000143', 'FARAWAY CLINIC', {
        'Provider Business Practice Location Address Country Code (If outside U.S.)': 'CA',
      }) +
      clinic('2000000150', '', {
        'Entity Type Code': '1',
        'Provider Last Name (Legal Name)': 'RIVERA',
        'Provider First Name': 'ANA',
      }) +
      nppesLine({ NPI: '2000000168', ...gone }) +
      clinic('2000000176', 'QUOTED "ELM", CLINIC\nSECOND LINE'),
  );
  expect(await run(path)).toContain('3 addresses are in service.');
  expect(await names('clinic')).toEqual(expect.arrayContaining(['Elm Clinic', 'Back Clinic']));
  expect(await names('quoted')).toEqual(['Quoted "Elm", Clinic Second Line']);
  expect(await names('gone clinic troy')).not.toContain('Gone Clinic');

  expect(await run(path, '--individuals')).toContain('4 addresses are in service.');
  expect(await names('rivera')).toEqual(['Ana Rivera']);
});

test('importing the same file twice changes nothing; --again reloads it without duplicates', async () => {
  const path = await file(headerLine + clinic('2000000101', 'TWICE CLINIC') + clinic('2000000101', 'TWICE CLINIC NOW'));
  await run(path, '--fewer');
  expect(await run(path)).toContain('is in already: 1 addresses');
  await run(path, '--again');
  expect(await names('twice')).toEqual(['Twice Clinic Now']);
  expect(await inService()).toBe(1);
});

test('the import decodes UTF-8 and Latin-1, with or without a byte order mark', async () => {
  const name = 'CLÍNICA PEÑA';
  const inUtf8 = await file(`\uFEFF${headerLine}${clinic('2000000101', name)}`);
  const inLatin1 = await file(Buffer.from(headerLine + clinic('2000000101', name), 'latin1'));
  for (const path of [inUtf8, inLatin1]) {
    await run(path, '--fewer');
    expect(await names('clinica pena')).toEqual(['Clínica Peña']);
  }
});

const bad: Record<string, { says: RegExp; content: () => string | Buffer | Promise<string> }> = {
  'is cut off inside a record': {
    says: /Record 2 has \d+ columns instead of 330: .* is cut off/,
    content: () => (headerLine + clinic('2000000101', 'A B C') + clinic('2000000119', 'D E F')).slice(0, -400),
  },
  'is cut off inside quotes': {
    says: /After record 1 there is no whole record/,
    content: () => (headerLine + clinic('2000000101', 'A B C') + clinic('2000000119', 'D E F')).slice(0, -2),
  },
  'has other columns': { says: /no column "Entity Type Code" and 14 more/, content: () => 'NPI,Name\n1,Elm\n' },
  'has only some of the columns': {
    says: /"Entity Type Code"/,
    content: () => headerLine.replace('"Entity Type Code"', '"Type"') + clinic('2000000101', 'X Y'),
  },
  'has a record of another width': {
    says: /Record 1 has 331 columns/,
    content: () => headerLine + clinic('2000000101', 'X Y').replace('\n', ',""\n'),
  },
  'is UTF-16': { says: /UTF-16 or no text/, content: () => Buffer.from(`\uFEFF${headerLine}`, 'utf16le') },
  'is no text': { says: /UTF-16 or no text/, content: () => Buffer.alloc(5_000) },
  'is empty': { says: /is empty/, content: () => '' },
  'is one endless line': { says: /no line of column names/, content: () => 'x'.repeat(200_000) },
  'holds no practice': { says: /No practice in this file/, content: () => headerLine },
  'is a damaged zip': {
    says: /damaged or was not downloaded whole/,
    content: () => Buffer.from('PK\u0003\u0004 and nothing else'),
  },
};

test.each(Object.keys(bad))('a file that %s is refused with a reason, and the old addresses stay', async (what) => {
  const { says, content } = bad[what] as (typeof bad)[string];
  await importNppes(
    testApp.url,
    await openNppes(await file(headerLine + clinic('2000000184', 'STAYING CLINIC'))),
    wishes,
    watch,
  );
  const path = await file(await content());
  const refused = await run(path).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as UsageError).message).toMatch(says);
  expect(await names('staying')).toEqual(['Staying Clinic']);
  const { rows } = await testApp.owner
    .selectFrom('nppesImport.progress')
    .selectAll()
    .execute()
    .then((left) => ({ rows: left }));
  expect(rows).toEqual([]);
});

test('a file with far fewer practices is refused without --fewer', async () => {
  const many = join(folder, 'many.csv');
  await writeNppesFile(many, { rows: 200 });
  await importNppes(testApp.url, await openNppes(many), wishes, watch);
  const few = join(folder, 'few.csv');
  await writeNppesFile(few, { rows: 100 });
  await expect(run(few)).rejects.toThrow(/holds 100 practices, the search 200: it looks cut off/);
  expect(await inService()).toBe(200);
  await run(few, '--fewer');
  expect(await inService()).toBe(100);
});

test('the import refuses a missing file and a missing argument', async () => {
  await expect(run(join(folder, 'nowhere.csv'))).rejects.toThrow('There is no file');
  await expect(run()).rejects.toThrow('Which file?');
  await expect(run(folder)).rejects.toThrow(UsageError);
});

test('a killed import resumes with nothing duplicated or missing', async () => {
  const path = join(folder, 'killed.csv');
  await writeNppesFile(path, { rows: 6_000, seed: 3 });
  const atOnce = { ...wishes, chunkBytes: 1 << 20 };
  const killed = importNppes(testApp.url, await openNppes(path), atOnce, {
    ...watch,
    read(_, records) {
      if (records > 3_000) throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  const { bytes, records } = await testApp.owner
    .selectFrom('nppesImport.progress')
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(records).toBeGreaterThan(1_000);

  const again = await importNppes(testApp.url, await openNppes(path), atOnce, watch);
  expect(again).toMatchObject({ outcome: 'imported', resumedAt: bytes, records: 6_000, kept: 6_000, addresses: 6_000 });
  const { rows } = await testApp.services.pool.query('select npi from nppes.address group by npi');
  expect(rows.length).toBe(6_000);
});

test('searches during an import never return an empty answer', async () => {
  const path = join(folder, 'swap.csv');
  await writeFile(path, headerLine + clinic('2000000184', 'ALWAYS CLINIC'));
  await importNppes(testApp.url, await openNppes(path), wishes, watch);
  let going = true;
  const answers: number[] = [];
  const asking = (async () => {
    while (going) answers.push((await names('always')).length);
  })();
  for (let i = 0; i < 3; i++) await importNppes(testApp.url, await openNppes(path), wishes, watch);
  going = false;
  await asking;
  expect(answers.length).toBeGreaterThan(5);
  expect(answers.filter((n) => n !== 1)).toEqual([]);
});

test('a second parallel import is refused at once', async () => {
  const path = await file(headerLine + clinic('2000000184', 'ONE CLINIC'));
  const refused = await whileImporting(new pg.Client(), testApp.url, () => run(path).catch((error: unknown) => error));
  expect((refused as UsageError).message).toBe('An import is running already.');
});

test('an import that loses its lock ends and leaves the addresses as they were, and the next one goes through', async () => {
  const path = await file(headerLine + clinic('2000000184', 'LOCKED CLINIC'));
  await run(path, '--fewer');
  const other = await file(headerLine + clinic('2000000192', 'UNLOCKED CLINIC'));
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'anteroom-import-lock'`.execute(testApp.owner);
  const waiting = openNppes(other).then((nppes) =>
    importNppes(testApp.url, nppes, { ...wishes, fewer: true }, { ...watch, say: () => void cut() }),
  );
  await expect(waiting).rejects.toThrow(/connection|Connection|closed/);
  expect(await names('locked')).toEqual(['Locked Clinic']);
  await run(other, '--fewer');
  expect(await names('unlocked')).toEqual(['Unlocked Clinic']);
});

test('the import reads the data file in CMS’s zip and refuses a truncated zip', async () => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(headerLine), 'npidata_pfile_20050523-20260308_fileheader.csv');
  zip.addBuffer(Buffer.from('"NPI","Other"\n'), 'othername_pfile_20050523-20260308.csv');
  zip.addBuffer(Buffer.from(headerLine + clinic('2000000192', 'ZIPPED CLINIC')), 'npidata_pfile_20050523-20260308.csv');
  zip.addBuffer(Buffer.from('%PDF'), 'NPPES_Data_Dissemination_Readme.pdf');
  const path = join(folder, 'NPPES_Data_Dissemination_March_2026.zip');
  const out = createWriteStream(path);
  zip.outputStream.pipe(out);
  zip.end();
  await finished(out);
  await run(path, '--fewer');
  expect(await names('zipped')).toEqual(['Zipped Clinic']);

  await truncate(path, (await readFile(path)).length - 40);
  await expect(run(path)).rejects.toThrow(/damaged or was not downloaded whole/);
  expect(await names('zipped')).toEqual(['Zipped Clinic']);
});

test('the generated file has the real header and NPIs with valid check digits', async () => {
  const path = join(folder, 'made-up.csv');
  await writeNppesFile(path, { rows: 300, individuals: 0.5, deactivated: 0.1 });
  const again = join(folder, 'made-up-again.csv');
  await writeNppesFile(again, { rows: 300, individuals: 0.5, deactivated: 0.1 });
  const text = await readFile(path, 'utf8');
  expect(await readFile(again, 'utf8')).toBe(text);
  expect(nppesHeader.length).toBe(330);
  const npis = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.slice(1, 11));
  expect(new Set(npis).size).toBe(300);
  expect(npis.filter((npi) => !hasCheckDigit(npi) || npi.startsWith('1'))).toEqual([]);
});
