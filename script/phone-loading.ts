import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The helper of Vite that `web/phone/app/load-with-files.js` stands for: a third of its size. */
const helper = /^\0vite\/preload-helper\.js$/;

export function loadWithFiles(): Plugin {
  return {
    name: 'anteroom-load-with-files',
    enforce: 'pre',
    apply: 'build',
    load: { filter: { id: helper }, handler: () => readFileSync('web/phone/app/load-with-files.js', 'utf8') },
  };
}
