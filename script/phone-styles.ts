import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'vite';

const sheets = globSync('web/{icons,kit,phone,questionnaire}/**/*.module.css')
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

const letters = (n: number): string =>
  (n >= 26 ? letters(Math.floor(n / 26) - 1) : '') + String.fromCharCode(97 + (n % 26));

/** A letter for the stylesheet and a number for the class or the animation: shorter than a hash, and it compresses. */
export function shortClass(name: string, file: string, css: string): string {
  const sheet = sheets.indexOf(relative('.', file).replaceAll('\\', '/'));
  if (sheet < 0) throw new Error(`${file} is not a stylesheet of the phone`);
  const names = new Set(Array.from(css.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi), ([, found]) => found));
  const place = [...names].indexOf(name);
  if (place < 0) throw new Error(`${file}: ${name} was not found`);
  return `${letters(sheet)}${place}`;
}

/**
 * Imports the classes of a stylesheet by name, so that each is written where it is used: as properties of an object they would be on the
 * phone with their long names, those that nobody uses too.
 */
export function classesByName(): Plugin[] {
  const byName: Plugin = {
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
  // With all its classes written elsewhere, a stylesheet would be left out as a module that nobody needs. Nobody imports all classes as one.
  const kept: Plugin = {
    name: 'anteroom-styles-kept',
    enforce: 'post',
    transform: {
      order: 'post',
      filter: { id: /\.module\.css$/ },
      handler: (code) => ({
        code: code.replace(/^export default \{[^}]*\};?$/m, ''),
        map: null,
        moduleSideEffects: 'no-treeshake',
      }),
    },
  };
  return [byName, kept];
}
