/**
 * The tab's office, for members of several. It is in the URL (`?office=`): a reload keeps it, a link opened in another tab takes it along,
 * two tabs on two offices never mix, and nothing is stored in the browser.
 */
const name = 'office';

let office: () => string | null = () => null;

/** The office in a URL's query; null if there is none. */
export const officeIn = (search: string): string | null => new URLSearchParams(search).get(name);

/** Sets the function that names the office for new URLs; it returns null for members of only one. */
export function setOfficeSource(answer: () => string | null): void {
  office = answer;
}

/** Search parameters for pages, without the tab's office. */
export function withoutOffice(params: Record<string, string>): Record<string, string> {
  const { [name]: _office, ...rest } = params;
  return rest;
}

/** Search parameters for the URL, with the tab's office. */
export function withOffice<T extends Record<string, unknown>>(params: T): T & { [name]?: string } {
  const id = office();
  return id === null ? params : { ...params, [name]: id };
}

/** The start URL of another office. Load it with a full navigation, so that nothing on screen or in memory is carried over. */
export const entryPathOf = (id: string): string => `/?${new URLSearchParams({ [name]: id })}`;
