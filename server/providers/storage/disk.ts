import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Services } from '#server/context.ts';
import { openIncomingFolder, writeAndHash } from './incoming-files.ts';
import { FileExists, FileMissing, isFileKey, type Storage, type StoredFile } from './port.ts';

/**
 * Files below `DATA_DIR/files`, each with its metadata in a `.json` file. A file is written and synced under a temporary name and then
 * renamed, so a crash leaves nothing half done. Processes that share a database share this folder.
 */
export function diskStorage({ env, now }: Pick<Services, 'env' | 'now'>): Storage {
  const root = join(env.dataDir, 'files');
  const arriving = openIncomingFolder(join(root, '.arriving'));
  const placeOf = (key: string) => {
    if (!isFileKey(key)) throw new FileMissing(key);
    return join(root, `${key}.file`);
  };
  const aboutOf = (key: string) => `${placeOf(key)}.json`;

  async function head(key: string): Promise<StoredFile | null> {
    try {
      const known = JSON.parse(await readFile(aboutOf(key), 'utf8')) as Omit<StoredFile, 'storedAt'> & {
        storedAt: string;
      };
      return { ...known, storedAt: new Date(known.storedAt) };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }
  const known = async (key: string) => {
    const file = await head(key);
    if (!file) throw new FileMissing(key);
    return file;
  };

  return {
    name: 'disk',
    async put(key, content, { contentType, maxBytes = Infinity }) {
      const place = placeOf(key);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      const draft = await arriving.place();
      try {
        const { bytes, sha256 } = await writeAndHash(draft, content, maxBytes);
        const file: StoredFile = { key, bytes, sha256, contentType, storedAt: now() };
        await give(draft, place, JSON.stringify(file));
        return file;
      } finally {
        await rm(draft, { force: true });
      }
    },
    async get(key) {
      const file = await known(key);
      return { file, content: createReadStream(placeOf(key)) };
    },
    head: (key) => (isFileKey(key) ? head(key) : Promise.resolve(null)),
    list: () => keysBelow(root, ''),
    async delete(key) {
      if (!isFileKey(key)) return;
      await rm(aboutOf(key), { force: true });
      await rm(placeOf(key), { force: true });
    },
  };
}

/** A file exists once its metadata does. `.arriving` is skipped: a key never begins with a dot. */
async function* keysBelow(folder: string, path: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const key = path + entry.name;
    if (entry.isDirectory()) {
      if (isFileKey(key)) yield* keysBelow(join(folder, entry.name), `${key}/`);
    } else if (key.endsWith('.file.json')) yield key.slice(0, -'.file.json'.length);
  }
}

/** Links a written file to its key, unless the key is taken; readers see it once its metadata is there. */
async function give(draft: string, place: string, about: string): Promise<void> {
  await link(draft, place).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? new FileExists() : error;
  });
  await writeFile(`${draft}.json`, about, { mode: 0o600, flush: true });
  await rename(`${draft}.json`, `${place}.json`);
  await syncFolder(dirname(place));
}

/** Syncs the folder: only then is a new name in it durable. */
async function syncFolder(folder: string): Promise<void> {
  const dir = await open(folder, 'r');
  try {
    await dir.sync();
  } finally {
    await dir.close();
  }
}

const codeOf = (error: unknown) => (error as { code?: string }).code;
