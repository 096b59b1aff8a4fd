import { createHash } from 'node:crypto';
import { titleOf } from '#questionnaire/form-texts.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';

/** A version of a questionnaire, ready to be stored. */
export interface NewDefinition {
  type: string;
  name: { en: string; es: string };
  /** The questionnaire as JSON text. */
  questionnaire: string;
  sha256: string;
}

/** How a questionnaire is stored: its type comes from its own id, else from its name. */
export function toNewDefinition(questionnaire: Questionnaire): NewDefinition {
  const { id, name, title, url } = questionnaire;
  const named = [id, name, title, url?.split('/').at(-1)].map((word) => slug(word ?? '')).find((word) => word !== '');
  const sha256 = createHash('sha256').update(canonical(questionnaire)).digest('hex');
  const en = titleOf(questionnaire, 'en') || named || 'Form';
  return {
    type: named ?? `form-${sha256.slice(0, 12)}`,
    name: { en: en.slice(0, 80), es: (titleOf(questionnaire, 'es') || en).slice(0, 80) },
    questionnaire: JSON.stringify(questionnaire),
    sha256,
  };
}

const slug = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');

/** JSON with sorted keys: the same questionnaire gives the same text, whatever the order in its file. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(',')}}`;
}
