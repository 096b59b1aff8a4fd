/**
 * The office this tab works for, for somebody who has several. It stands in the address (`?office=`): a reload keeps it, a link opened in
 * another tab takes it along, two tabs on two offices never mix, and nothing of it is kept in the browser.
 */
const name = 'office';

let office: () => string | null = () => null;

/** The office an address names; null when it names none. */
export const officeIn = (search: string): string | null => new URLSearchParams(search).get(name);

/** Addresses name what `answer` says at the time; null: none, there is only one. */
export function setOfficeSource(answer: () => string | null): void {
  office = answer;
}

/** Search parameters as the rooms know them: the tab's office is not one of theirs. */
export function withoutOffice(params: Record<string, string>): Record<string, string> {
  const { [name]: _office, ...rest } = params;
  return rest;
}

/** Search parameters as they stand in the address. */
export function withOffice<T extends Record<string, unknown>>(params: T): T & { [name]?: string } {
  const id = office();
  return id === null ? params : { ...params, [name]: id };
}

/** The front door of another office, to be loaded afresh: nothing on screen or in memory is carried over. */
export const entryPathOf = (id: string): string => `/?${new URLSearchParams({ [name]: id })}`;
