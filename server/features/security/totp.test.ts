import { describe, expect, test } from 'vitest';
import { base32, codeAt, otpauthUri, stepOf, stepOfCode } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('the six digits of an authenticator app', () => {
  // RFC 6238, appendix B: the last six of its eight digits
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i are %s', (second, code) => {
    expect(codeAt(secret, stepOf(new Date(second * 1000)))).toBe(code);
  });

  test('digits are accepted half a minute early and late, and no more', () => {
    const at = new Date(1_111_111_111_000);
    const taken = [-2, -1, 0, 1, 2].map((off) => stepOfCode(secret, codeAt(secret, stepOf(at) + off), at, 0));
    expect(taken.map((step) => step !== null)).toEqual([false, true, true, true, false]);
  });

  test('digits of a used or earlier step are refused', () => {
    const at = new Date(1_111_111_111_000);
    const now = stepOf(at);
    expect(stepOfCode(secret, codeAt(secret, now), at, now)).toBeNull();
    expect(stepOfCode(secret, codeAt(secret, now - 1), at, now)).toBeNull();
    expect(stepOfCode(secret, codeAt(secret, now + 1), at, now)).toBe(now + 1);
  });
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j', (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
});

test('the QR code names the product, the account and the secret', () => {
  expect(otpauthUri('Ante room', 'front@maple.test', secret)).toBe(
    'otpauth://totp/Ante%20room:front%40maple.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Ante+room',
  );
});
