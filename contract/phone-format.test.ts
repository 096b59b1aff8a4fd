import { expect, test } from 'vitest';
import { formatPhone } from './phone-format.ts';

test.each(['+12125550101', '2125550101', '212-555-0101', '+1 (212) 555-0101'])(
  'formatPhone writes %s as people read it',
  (phone) => expect(formatPhone(phone)).toBe('(212) 555-0101'),
);

test.each(['+442079460958', '+4532123456', '72894', '555-0101', 'ruth2125550101@maple.test', ''])(
  'formatPhone leaves %j as it is',
  (text) => expect(formatPhone(text)).toBe(text),
);
