import { expect, test } from 'vitest';
import { isIssuedToken, newSessionToken, nextSessionToken } from './session-token.ts';

const secret = 'a'.repeat(43);
const at = (hour: number) => new Date(Date.UTC(2026, 2, 2, hour));
const token = newSessionToken(secret, at(10));

test('a token counts as issued until its time, and only with its own MAC', () => {
  expect(isIssuedToken(secret, token, at(9))).toBe(true);
  expect(isIssuedToken(secret, token, at(10))).toBe(false);
  expect(isIssuedToken('b'.repeat(43), token, at(9))).toBe(false);
  for (const place of [0, 31, 32, 36, 38, 47])
    expect(isIssuedToken(secret, `${token.slice(0, place)}~${token.slice(place + 1)}`, at(9))).toBe(false);
  expect(isIssuedToken(secret, token.slice(0, 32) + newSessionToken(secret, at(12)).slice(32), at(9))).toBe(false);
});

test.each(['', 'x', 'x'.repeat(48), '~'.repeat(48), 'é'.repeat(48), 'A'.repeat(15_000)])(
  '%j is not issued',
  (other) => {
    expect(isIssuedToken(secret, other, at(0))).toBe(false);
  },
);

test('the next token is always the same one and counts as issued for a life longer', () => {
  const next = nextSessionToken(secret, token, 3_600);
  expect(next).toBe(nextSessionToken(secret, token, 3_600));
  expect(next).not.toBe(token);
  expect(isIssuedToken(secret, next, at(10.5))).toBe(true);
  expect(isIssuedToken(secret, next, at(11))).toBe(false);
});

test('the next token of one from an earlier version is what that version derived', () => {
  const old = token.slice(0, 32);
  expect(nextSessionToken(secret, old, 3_600)).toMatch(/^[\w-]{32}$/);
});
