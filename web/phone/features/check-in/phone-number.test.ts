import { expect, test } from 'vitest';
import { maskedPhone, showPhone, tenDigits } from './phone-number.ts';

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
  expect(showPhone(text)).toBe('(212) 555-0101');
});

test.each(['', '555-0101', '+44 20 7946 0958', '+49 212 555 0101', '212 555 01011', '112 555 0101', 'call me'])(
  'showPhone returns %s unchanged: it is no US number',
  (text) => {
    expect(tenDigits(text)).toBeNull();
    expect(showPhone(text)).toBe(text);
  },
);

test('maskedPhone shows only the area code and the last two digits', () => {
  expect(maskedPhone('+1 212 555 0101')).toBe('(212) •••-••01');
});
