import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of `package.json`: the same from source and from the bundle in `dist/`. */
export const projectRoot = findUp(import.meta.dirname);

/** The folder of this installation's data. */
export const dataDirOf = (from: NodeJS.ProcessEnv) => from.DATA_DIR ?? join(projectRoot, '.data');

function findUp(folder: string): string {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'db/migrations'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('Anteroom: the project folder (package.json, db/migrations) was not found');
  return findUp(parent);
}
