import { expect, test } from 'vitest';
import { addressLine, cityLine, streetOf } from './address-line.ts';

const practice = { addressLine1: '12 Maple Street', city: 'Brooklyn', state: 'NY', zip: '11201' };

test.each([
  ['all parts', practice, '12 Maple Street, Brooklyn, NY 11201'],
  ['a second line', { ...practice, addressLine2: 'Suite 3' }, '12 Maple Street, Suite 3, Brooklyn, NY 11201'],
  ['no second line', { ...practice, addressLine2: null }, '12 Maple Street, Brooklyn, NY 11201'],
  ['no street', { ...practice, addressLine1: '' }, 'Brooklyn, NY 11201'],
  ['no city', { ...practice, city: '' }, '12 Maple Street, NY 11201'],
  ['no ZIP code', { ...practice, zip: '' }, '12 Maple Street, Brooklyn, NY'],
  ['neither state nor ZIP code', { ...practice, state: '', zip: '' }, '12 Maple Street, Brooklyn'],
  ['nothing', { addressLine1: '', city: '', state: '', zip: '' }, ''],
])('addressLine joins an address with %s without stray commas', (_case, address, line) =>
  expect(addressLine(address)).toBe(line),
);

test('streetOf and cityLine are the two lines of an envelope', () => {
  expect(streetOf({ ...practice, addressLine2: 'Suite 3' })).toBe('12 Maple Street, Suite 3');
  expect(cityLine(practice)).toBe('Brooklyn, NY 11201');
});
