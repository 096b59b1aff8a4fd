import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search.ts';

test.each(['?token=1e5', '?id=123456789012345678901', '?q=true', '?q=0012'])('%s stays the text it is', (search) => {
  expect(stringifySearch(parseSearch(search))).toBe(search);
});

test('what is not set is not in the address', () => {
  expect(stringifySearch({ q: '', visit: undefined, tab: 'history' })).toBe('?tab=history');
});
