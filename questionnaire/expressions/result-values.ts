import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { optionFor } from '#questionnaire/options.ts';
import { roundTo } from './round.ts';
import { isRecord, type Value } from '#questionnaire/values.ts';

/** The result of an expression as values of this item; anything that the item cannot hold is left out. */
export function valuesFrom(found: readonly unknown[], item: FormItem): Value[] {
  const values = found
    .map((one) => valueFrom(one, item))
    .filter((value) => value !== undefined)
    .map((value) => roundToDecimals(value, item))
    .filter((value) => !kindProblem(item, value));
  return item.repeats ? values : values.slice(0, 1);
}

/** A calculation has a result that its item cannot hold: another unit, not an option, not a date. */
export class UnfitResult extends Error {
  override readonly name = 'UnfitResult';
}

/** Whether there is a result and nothing of it could be taken. */
export const isUnfit = (found: readonly unknown[], values: readonly Value[]): boolean =>
  values.length === 0 && found.some((one) => one !== null && one !== undefined && one !== '');

/** The number with as many decimals as the item takes: a whole number's none. */
function roundToDecimals(value: Value, item: FormItem): Value {
  const decimals = item.type === 'integer' ? 0 : item.maxDecimals;
  if (typeof value === 'number') return withDecimals(value, decimals);
  const isAmount = item.type === 'quantity' && isRecord(value) && typeof value['value'] === 'number';
  return isAmount ? { ...value, value: withDecimals(value['value'] as number, decimals) } : value;
}

/** 0.1 + 0.2 is 0.3: the digits after the fifteenth are noise of the binary form. */
function withDecimals(value: number, decimals: number | undefined): number {
  const exact = Number(value.toPrecision(15));
  return decimals === undefined ? exact : roundTo(exact, decimals);
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
