import { withOffice, withoutOffice } from '#web/kit/office-of-tab.ts';

/**
 * Search parameters stay text: the router's own parser turns `token=1e5` into 100000 and cuts long
 * ids. A route converts them in its `validateSearch`. The office of the tab is in every address, but in no route's parameters.
 */
export function parseSearch(search: string): Record<string, string> {
  return withoutOffice(Object.fromEntries(new URLSearchParams(search)));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(withOffice(search)))
    if (value !== undefined && value !== '') params.set(name, String(value));
  return params.size ? `?${params}` : '';
}
