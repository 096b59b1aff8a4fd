/** The number with that many decimals. Halves are rounded as they are written: 1.005 is 1.01, though its binary form is a little less. */
export function roundTo(value: number, decimals: number): number {
  const places = Math.min(Math.max(Math.trunc(decimals), 0), 15);
  const text = String(value);
  if (text.includes('e')) return Number(value.toFixed(places));
  return Number(`${Math.round(Number(`${text}e${places}`))}e-${places}`) + 0;
}
