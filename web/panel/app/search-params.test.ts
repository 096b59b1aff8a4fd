import { afterEach, expect, test } from 'vitest';
import { setOfficeSource, entryPathOf, officeIn } from '#web/kit/office-of-tab.ts';
import { parseSearch, stringifySearch } from './search-params.ts';

afterEach(() => setOfficeSource(() => null));

test.each(['?token=1e5', '?id=123456789012345678901', '?q=true', '?q=0012'])('%s stays the text it is', (search) => {
  expect(stringifySearch(parseSearch(search))).toBe(search);
});

test('unset parameters are not in the address', () => {
  expect(stringifySearch({ q: '', visit: undefined, tab: 'history' })).toBe('?tab=history');
});

test('the office of the tab is in every address, and in no route’s parameters', () => {
  setOfficeSource(() => 'maple');
  expect(stringifySearch({ tab: 'history' })).toBe('?tab=history&office=maple');
  expect(stringifySearch({})).toBe('?office=maple');
  expect(parseSearch('?tab=history&office=maple')).toEqual({ tab: 'history' });
  expect(stringifySearch(parseSearch('?office=harbor&q=a'))).toBe('?q=a&office=maple');
});

test('entryPathOf makes an address from which officeIn reads the same office', () => {
  expect(officeIn(new URL(entryPathOf('maple'), 'https://anteroom.test').search)).toBe('maple');
  expect(officeIn('?tab=history')).toBeNull();
});
