/**
 * Search parameters stay the text they are: the router's own parser turns `token=1e5` into 100000 and cuts long
 * ids. A route coerces in its `validateSearch`.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== '') params.set(name, String(value));
  return params.size ? `?${params}` : '';
}
