import { expect, test } from 'vitest';
import { newPatientCode } from './secret.ts';

test('a patient’s code can be typed in a command: it never looks like an option', () => {
  const codes = Array.from({ length: 2_000 }, () => newPatientCode());
  for (const code of codes) expect(code).toMatch(/^[\w][\w-]{15}$/);
  expect(new Set(codes).size).toBe(codes.length);
});
