import type { ExtractedValue } from '#contract/forms/desk.ts';
import type { Language } from '#contract/shapes.ts';
import type { ExtractedEntry } from '#questionnaire/extraction/extracted.ts';
import { isRecord } from '#questionnaire/values.ts';
import { pdfMessages } from './pdf-messages.ts';

type Fields = Record<string, unknown>;

/** What the desk does not need to see: which resource it is, and whom it is about. */
const technical = new Set(['resourceType', 'id', 'meta', 'identifier', 'text', 'contained', 'extension']);
const mostValues = 500;

/** The extracted resources as a table: one row for an observation, and one for each value of any other resource. */
export function extractedValues(entries: readonly ExtractedEntry[], language: Language): ExtractedValue[] {
  const rows = entries.flatMap(({ resource }): ExtractedValue[] => {
    const { resourceType } = resource;
    if (resourceType !== 'Observation')
      return leaves(resource, '').map((leaf) => ({ resource: resourceType, ...leaf }));
    const value = Object.entries(resource).find(([name]) => name.startsWith('value'))?.[1];
    const name = conceptText(resource['code']) ?? '';
    const text = value === undefined ? null : valueText(value);
    return text === null ? [] : [{ resource: resourceType, name, value: text }];
  });
  return rows.slice(0, mostValues);

  function leaves(fields: Fields, path: string): { name: string; value: string }[] {
    return Object.entries(fields).flatMap(([name, field]) => {
      if (path === '' && technical.has(name)) return [];
      const here = path === '' ? name : `${path}.${name}`;
      return (Array.isArray(field) ? (field as unknown[]) : [field]).flatMap((value) => {
        const text = valueText(value);
        if (text !== null) return [{ name: here, value: text }];
        return isRecord(value) && !isReference(value) ? leaves(value, here) : [];
      });
    });
  }

  function valueText(value: unknown): string | null {
    if (typeof value === 'boolean') return value ? pdfMessages[language].yes : pdfMessages[language].no;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (!isRecord(value)) return null;
    if (typeof value['value'] === 'number') return `${value['value']} ${textIn(value, 'unit', 'code')}`.trim();
    return conceptText(value);
  }
}

/** The text of a concept or a coding; null if it is neither. */
function conceptText(value: unknown): string | null {
  if (!isRecord(value)) return null;
  const codings = value['coding'];
  if (typeof value['text'] === 'string') return value['text'];
  if (Array.isArray(codings)) return isRecord(codings[0]) ? textIn(codings[0], 'display', 'code') : null;
  return typeof value['system'] === 'string' && typeof value['code'] === 'string'
    ? textIn(value, 'display', 'code')
    : null;
}

const isReference = ({ reference }: Fields) => typeof reference === 'string' && /^(urn:|#)/.test(reference);

function textIn(fields: Fields, ...names: string[]): string {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}
