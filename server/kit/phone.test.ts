import { expect, test } from 'vitest';
import { isTextable, northAmericanPhone, senderOf, usPhone } from './phone.ts';

test.each([
  '+12125550161',
  '2125550161',
  '(212) 555-0161',
  '212-555-0161',
  '212.555.0161',
  '1 212 555 0161',
  '+1 (212) 555 0161',
  ' 1-212-555-0161 ',
  '２１２５５５０１６１',
  '\u202a+1 212 555 0161\u202c',
  'tel:+1-212-555-0161',
])('usPhone accepts the spelling %j', (spelled) => expect(usPhone(spelled)).toBe('+12125550161'));

test.each([
  '',
  '   ',
  '555-0161',
  '+1 112 555 0161',
  '+1 012 555 0161',
  '+44 20 7946 0958',
  '+52 55 1234 5678',
  '911',
  '+1212555016',
  '+1212555016111',
  'Ada Byron',
  '\0',
  '٢١٢',
])('usPhone refuses %j', (spelled) => expect(usPhone(spelled)).toBeNull());

test.each([
  ['212 New York', '+12125550161'],
  ['907 Alaska', '+19075550161'],
  ['808 Hawaii', '+18085550161'],
  ['787 Puerto Rico', '+17875550161'],
  ['939 Puerto Rico', '+19395550161'],
  ['340 US Virgin Islands', '+13406420161'],
  ['671 Guam', '+16715550161'],
  ['684 American Samoa', '+16847330161'],
  ['670 Northern Mariana Islands', '+16702340161'],
  ['329, an area code opened in 2024', '+13295550161'],
])('usPhone accepts %s', (_name, phone) => expect(usPhone(phone)).toBe(phone));

test.each([
  ['900 premium', '+19005550161'],
  ['976 pay per call', '+19765550161'],
  ['pay-per-call exchange of an ordinary area code', '+12129760161'],
  ['700 carrier services', '+17005550161'],
  ['500 personal number', '+15005550161'],
  ['533 personal number', '+15335550161'],
  ['800 toll-free', '+18005550161'],
  ['888 toll-free', '+18885550161'],
  ['416 Toronto', '+14165550161'],
  ['600 Canada', '+16005550161'],
  ['876 Jamaica', '+18762345678'],
  ['658 Jamaica', '+16582345678'],
  ['809 Dominican Republic', '+18095550161'],
  ['829 Dominican Republic', '+18295550161'],
  ['284 British Virgin Islands', '+12844961234'],
  ['649 Turks and Caicos', '+16492311234'],
  ['268 Antigua', '+12684641234'],
  ['473 Grenada', '+14734031234'],
  ['664 Montserrat', '+16644923456'],
  ['767 Dominica', '+17672251234'],
  ['242 Bahamas', '+12423591234'],
  ['441 Bermuda', '+14413701234'],
  ['221, not in service', '+12215550161'],
])('usPhone refuses %s', (_name, phone) => expect(usPhone(phone)).toBeNull());

test('northAmericanPhone accepts a toll-free sender and a reply from Canada', () => {
  expect(northAmericanPhone('1-800-555-0161')).toBe('+18005550161');
  expect(northAmericanPhone('416 555 0161')).toBe('+14165550161');
  expect(northAmericanPhone('+44 20 7946 0958')).toBeNull();
});

test('senderOf accepts numbers of the world and short codes, and no names', () => {
  expect(senderOf('+52 55 1234 5678')).toBe('+525512345678');
  expect(senderOf('(212) 555-0161')).toBe('+12125550161');
  expect(senderOf('72894')).toBe('72894');
  for (const nobody of ['', 'AMAZON', '+1', '+0123456789', `+44${'1'.repeat(20)}`]) expect(senderOf(nobody)).toBeNull();
});

test('isTextable answers like usPhone for every number of an exchange', () => {
  for (let i = 0; i < 3_000; i++) {
    const exchange = `+1${201 + ((i * 37) % 799)}${200 + ((i * 61) % 800)}`;
    for (const line of ['0000', '0101', '9999', '5432']) {
      const number = `${exchange}${line}`;
      expect(isTextable(number), number).toBe(usPhone(number) === number);
    }
  }
});

test.each(['2125550161', '+1212555016', '+442079460958', '+19005550101', ''])('isTextable refuses %j', (spelled) =>
  expect(isTextable(spelled)).toBe(false),
);
