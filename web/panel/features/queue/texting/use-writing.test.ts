import { expect, test } from 'vitest';
import { signAfter } from './use-writing.ts';

test('a message ends the sign of whoever wrote it, and a desk’s own answer does not hide that the patient is writing', () => {
  const patient = { by: 'patient', at: 0 } as const;
  expect(signAfter(patient, 'patient')).toBeNull();
  expect(signAfter(patient, 'colleague')).toEqual(patient);
  expect(signAfter({ by: 'colleague', at: 0 }, 'colleague')).toBeNull();
  expect(signAfter(null, 'patient')).toBeNull();
});
