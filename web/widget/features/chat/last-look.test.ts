import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isLookLongAgo, noteLook } from './last-look.ts';

beforeEach(() => {
  vi.useFakeTimers();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a visitor who returns within half an hour goes on; later the page asks first', () => {
  noteLook('1234567893');
  vi.advanceTimersByTime(29 * 60_000);
  expect(isLookLongAgo('1234567893')).toBe(false);
  vi.advanceTimersByTime(2 * 60_000);
  expect(isLookLongAgo('1234567893')).toBe(true);
  noteLook('1234567893');
  expect(isLookLongAgo('1234567893')).toBe(false);
});

test('a chat that nobody has looked at with this version, or only in the future, is asked for', () => {
  expect(isLookLongAgo('2222222222')).toBe(true);
  noteLook('1234567893');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(isLookLongAgo('1234567893')).toBe(true);
});

test('a browser that keeps nothing for the frame asks after half an hour too', () => {
  vi.stubGlobal('localStorage', undefined);
  noteLook('1234567893');
  expect(isLookLongAgo('1234567893')).toBe(false);
  vi.advanceTimersByTime(31 * 60_000);
  expect(isLookLongAgo('1234567893')).toBe(true);
});
