import { expect, test } from 'vitest';
import { atAGlance, holdsWebAddress, oneLine } from './look-alike-letters.ts';

test.each([
  'Maple Street Pediatrics',
  'MAPLE STREET PEDIATRICS',
  'Maple-Street  Pediatrics.',
  'Maple Streét Pediatrics',
  'Mаple Street Pediatrics', // Cyrillic а
  'Map1e Street Ped|atrics',
  'Ｍａｐｌｅ Street Pediatrics',
  'Maple Street\u200b Pediatrics',
  'Maple Street Pediatricѕ',
])('%j looks like Maple Street Pediatrics', (name) => {
  expect(atAGlance(name)).toBe(atAGlance('Maple Street Pediatrics'));
});

test.each(['Maple Street Dental', 'Maple Street Pediatrics North', 'Oak Street Pediatrics'])(
  '%j does not look like Maple Street Pediatrics',
  (name) => expect(atAGlance(name)).not.toBe(atAGlance('Maple Street Pediatrics')),
);

test('m and rn, w and vv look alike', () => {
  expect(atAGlance('Anteroorn')).toBe(atAGlance('Anteroom'));
  expect(atAGlance('VVillow')).toBe(atAGlance('Willow'));
});

test.each([
  'Refund: evil.dev/x',
  'Call a@b',
  'pay evil.club',
  'bit ly/3xYz',
  'Win at https://evil.example',
  'www.evil.example',
  'evil.com',
  'Free money at prizes.xyz/now',
])('%j holds a web address', (text) => expect(holdsWebAddress(text)).toBe(true));

test.each(["St. Mary's Clinic", 'Dr. Ortega, M.D.', 'Smith & Co. Dental', 'P.C. Partners', 'A.B.C. Care'])(
  '%j holds none',
  (text) => expect(holdsWebAddress(text)).toBe(false),
);

test('words for an email are one short line without web addresses', () => {
  expect(oneLine('Anteroom Support\r\n\r\nPay here: https://evil.example/x now')).toBe(
    'Anteroom Support Pay here: now',
  );
  expect(oneLine('x'.repeat(200))).toHaveLength(80);
});
