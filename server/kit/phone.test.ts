import { expect, test } from 'vitest';
import { usPhone } from './phone.ts';

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
])('%j is one and the same phone', (spelled) => expect(usPhone(spelled)).toBe('+12125550161'));

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
])('%j is none', (spelled) => expect(usPhone(spelled)).toBeNull());
