import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#server/kit/project-root.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The style of a page that the server renders itself: what these pages share, then its own file. */
export function pageStyle(path: string): string {
  return `${read('server/kit/http/page-base.css')}\n${read(path)}`;
}
