import { problemsOfAnswer } from '#questionnaire/checking/problems.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { optionFor } from '#questionnaire/options.ts';
import { keyOf } from '#questionnaire/positions.ts';
import type { Value } from '#questionnaire/values.ts';

const unfit = new Set([
  'wrong_kind',
  'not_a_number',
  'not_a_whole_number',
  'not_a_date',
  'not_a_date_time',
  'not_a_time',
  'not_an_option',
]);

/** The result of an expression as values of this item; anything that the item cannot hold is left out. */
export function valuesFrom(found: readonly unknown[], item: FormItem): Value[] {
  const place = { item, key: keyOf(item, []) };
  const values = found
    .map((one) => valueFrom(one, item))
    .filter((value) => value !== undefined)
    .filter((value) => !problemsOfAnswer(place, [value]).some(({ code }) => unfit.has(code)));
  return item.repeats ? values : values.slice(0, 1);
}

function valueFrom(found: unknown, item: FormItem): Value | undefined {
  if (item.options.length > 0) {
    const named =
      optionFor(item.options, found) ??
      (typeof found === 'string' ? optionFor(item.options, { code: found }) : undefined);
    return named?.value ?? plainCoding(found as Value);
  }
  if (item.type === 'quantity' && typeof found === 'number') {
    const { system, code, display } = item.units[0] ?? {};
    return { value: found, ...(display && { unit: display }), ...(system && { system }), ...(code && { code }) };
  }
  if ((item.type === 'string' || item.type === 'text') && typeof found === 'number') return String(found);
  if (typeof found === 'bigint') return Number(found);
  return found === null || found === undefined ? undefined : plainCoding(found as Value);
}

/** A coding that was copied from another answer comes without that option's extensions. */
function plainCoding(value: Value): Value {
  if (typeof value !== 'object' || !('extension' in value)) return value;
  const { extension: _, ...plain } = value;
  return plain;
}
