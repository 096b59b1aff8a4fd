import { expect, test } from 'vitest';
import { hidePhoneDigits, formatTypedPhone, usPhoneDigits } from './phone-number.ts';

test.each([
  '(212) 555-0101',
  '212-555-0101',
  '212.555.0101',
  '212 555 0101',
  '2125550101',
  '+1 212 555 0101',
  '1-212-555-0101',
  '+12125550101',
  ' \u202a+1 (212) 555-0101\u202c ',
  '２１２５５５０１０１',
  'tel:+1-212-555-0101',
])('%s is shown as (212) 555-0101', (text) => {
  expect(formatTypedPhone(text)).toBe('(212) 555-0101');
});

test.each(['', '555-0101', '+44 20 7946 0958', '+49 212 555 0101', '212 555 01011', '112 555 0101', 'call me'])(
  'showPhone returns %s unchanged: it is no US number',
  (text) => {
    expect(usPhoneDigits(text)).toBeNull();
    expect(formatTypedPhone(text)).toBe(text);
  },
);

test('maskedPhone shows only the area code and the last two digits', () => {
  expect(hidePhoneDigits('+1 212 555 0101')).toBe('(212) •••-••01');
});
