import { expect, test } from 'vitest';
import { toLookAlikeKey, holdsWebAddress, oneLine } from './look-alike-letters.ts';

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
])('atAGlance: %j looks like Maple Street Pediatrics', (name) => {
  expect(toLookAlikeKey(name)).toBe(toLookAlikeKey('Maple Street Pediatrics'));
});

test.each(['Maple Street Dental', 'Maple Street Pediatrics North', 'Oak Street Pediatrics'])(
  'atAGlance: %j does not look like Maple Street Pediatrics',
  (name) => expect(toLookAlikeKey(name)).not.toBe(toLookAlikeKey('Maple Street Pediatrics')),
);

test('atAGlance: m looks like rn, and w like vv', () => {
  expect(toLookAlikeKey('Anteroorn')).toBe(toLookAlikeKey('Anteroom'));
  expect(toLookAlikeKey('VVillow')).toBe(toLookAlikeKey('Willow'));
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
])('holdsWebAddress finds one in %j', (text) => expect(holdsWebAddress(text)).toBe(true));

test.each(["St. Mary's Clinic", 'Dr. Ortega, M.D.', 'Smith & Co. Dental', 'P.C. Partners', 'A.B.C. Care'])(
  'holdsWebAddress finds none in %j',
  (text) => expect(holdsWebAddress(text)).toBe(false),
);

test('oneLine returns one short line without web addresses', () => {
  expect(oneLine('Anteroom Support\r\n\r\nPay here: https://evil.example/x now')).toBe(
    'Anteroom Support Pay here: now',
  );
  expect(oneLine('x'.repeat(200))).toHaveLength(80);
});
