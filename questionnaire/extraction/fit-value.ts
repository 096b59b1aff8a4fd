import type { FormItem } from '#questionnaire/form-item.ts';
import { isRecord } from '#questionnaire/values.ts';
import { conceptOf } from './observations.ts';

/** A value as an element of that type holds it; undefined if it cannot. */
export function fitValue(value: unknown, type: string, item: FormItem | undefined): unknown {
  if (texts.has(type))
    return isRecord(value) ? (value['display'] ?? value['code'] ?? value['reference']) : scalar(value);
  if (numbers.has(type)) {
    const amount = isRecord(value) ? value['value'] : value;
    return typeof amount === 'number' ? amount : undefined;
  }
  if (moments.has(type))
    return typeof value === 'string' ? value.slice(0, type === 'date' ? 10 : undefined) : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'code') return isRecord(value) ? value['code'] : scalar(value);
  if (type === 'Quantity' && typeof value === 'number') return quantityOf(value, item);
  if (type === 'CodeableConcept' && isRecord(value) && !('coding' in value) && !('text' in value))
    return conceptOf(value);
  const field = fieldOfText[type];
  return typeof value === 'string' && field !== undefined ? { [field]: value } : isRecord(value) ? value : undefined;
}

const texts = new Set(['string', 'markdown', 'uri', 'url', 'canonical']);
const numbers = new Set(['decimal', 'integer', 'positiveInt', 'unsignedInt']);
const moments = new Set(['date', 'dateTime', 'instant', 'time']);
/** Where words go in a type that is more than words. */
const fieldOfText: Readonly<Record<string, string>> = {
  CodeableConcept: 'text',
  Coding: 'display',
  Reference: 'reference',
  Annotation: 'text',
};

function quantityOf(value: number, item: FormItem | undefined) {
  const { system, code, display } = item?.units[0] ?? {};
  return { value, ...(display && { unit: display }), ...(system && { system }), ...(code && { code }) };
}

const scalar = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;

/** The type of a choice that the value of an answer has: `valueCoding` fits `CodeableConcept`. */
export function choiceFor(choices: readonly string[], value: unknown, field: string | undefined): string | undefined {
  const kind = field?.replace(/^value/, '') ?? kindOf(value);
  const alternatives: Record<string, string[]> = {
    Coding: ['Coding', 'CodeableConcept', 'String'],
    Integer: ['Integer', 'Quantity', 'Decimal', 'PositiveInt', 'UnsignedInt'],
    Decimal: ['Decimal', 'Quantity'],
    Date: ['Date', 'DateTime'],
    DateTime: ['DateTime', 'Date'],
    Uri: ['Uri', 'Url', 'String'],
    String: ['String', 'Markdown', 'CodeableConcept', 'DateTime', 'Date'],
  };
  return (alternatives[kind] ?? [kind]).find((one) => choices.includes(one));
}

function kindOf(value: unknown): string {
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Decimal';
  if (!isRecord(value)) return 'String';
  return 'coding' in value
    ? 'CodeableConcept'
    : 'value' in value
      ? 'Quantity'
      : 'reference' in value
        ? 'Reference'
        : 'Coding';
}
