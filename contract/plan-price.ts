/** A plan's price in whole dollars, for a locale such as `es-US`. Source: the specification's business constants. */
export function formatPlanPrice(cents: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(
    cents / 100,
  );
}
