import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import * as panels from './panels.ts';
import * as scales from './scales.ts';

const read = (file: string): [string, unknown] => [
  file.split('/').slice(-1)[0] ?? file,
  JSON.parse(readFileSync(file, 'utf8')) as unknown,
];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && statSync(join(folder, file)).isFile())
    .map((file) => join(folder, file))
    .sort();
}

/** The shapes of published questionnaires, by name. */
export const questionnaireShapes: [string, Questionnaire][] = [...Object.values(scales), ...Object.values(panels)].map(
  (shape) => [shape.name ?? '', shape],
);

/** The built-in questionnaires. */
export const builtIn = filesOf(new URL('../../db/seed/forms/', import.meta.url).pathname).map(read);

const others = process.env['QUESTIONNAIRES_DIR'];

/** The questionnaires in the folder QUESTIONNAIRES_DIR; null if it is not set. */
export const questionnairesFromFolder = others
  ? filesOf(others)
      .map(read)
      .filter(([, input]) => (input as { resourceType?: string } | null)?.resourceType === 'Questionnaire')
  : null;
