/** Cents of an amount as people type it: `25`, `25.5`, `$1,025.00`, or `25,50` as in Spanish; null if it is none. */
export function parseDollars(typed: string): number | null {
  const text = typed.trim().replace(/^\$\s*/, '');
  const amount = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.');
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(amount)) return null;
  return Math.round(Number(amount) * 100);
}

/** An amount for a field: `25.00`. */
export const toDollars = (cents: number) => (cents / 100).toFixed(2);
