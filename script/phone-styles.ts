import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'vite';

const sheets = globSync('web/{icons,kit,phone,questionnaire}/**/*.module.css')
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

const letters = (n: number): string =>
  (n >= 26 ? letters(Math.floor(n / 26) - 1) : '') + String.fromCharCode(97 + (n % 26));

/** A letter for the stylesheet and a number for the class: shorter than a hash, and it compresses. */
export function shortClass(name: string, file: string, css: string): string {
  const sheet = sheets.indexOf(relative('.', file).replaceAll('\\', '/'));
  if (sheet < 0) throw new Error(`${file} is not a stylesheet of the phone`);
  const classes = new Set(Array.from(css.matchAll(/\.([a-z][\w-]*)/gi), ([, found]) => found));
  return `${letters(sheet)}${[...classes].indexOf(name)}`;
}

/**
 * Imports the classes of a stylesheet by name, so that each is written where it is used: as properties of an object they would be on the
 * phone with their long names, those that nobody uses too.
 */
export function classesByName(): Plugin {
  return {
    name: 'anteroom-classes-by-name',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /\.module\.css'/ },
      handler: (code) => ({
        code: code.replace(/^import (\w+) from ('[^']+\.module\.css')/gm, 'import * as $1 from $2'),
        map: null,
      }),
    },
    onLog(_level, { code, message }) {
      if (code === 'IMPORT_IS_UNDEFINED') this.error(message);
    },
  };
}
