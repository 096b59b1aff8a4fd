import { describe, expect, test } from 'vitest';
import { problemType, refusals, type RefusalCode } from './refusals.ts';
import { ambulatoryRefusals } from './refusals/ambulatory.ts';
import { formRefusals } from './refusals/forms.ts';
import { paymentRefusals } from './refusals/payments.ts';
import { practiceRefusals } from './refusals/practice.ts';
import { requestRefusals } from './refusals/requests.ts';
import { signInRefusals } from './refusals/sign-in.ts';
import { textingRefusals } from './refusals/texts.ts';
import { visitRefusals } from './refusals/visits.ts';
import { languages } from './shapes.ts';

const all = Object.entries(refusals) as [RefusalCode, (typeof refusals)[RefusalCode]][];

describe.each(all)('%s', (code, refusal) => {
  test('%s has a text in both languages, a 4xx or 5xx status, and a stable type', () => {
    for (const language of languages) {
      expect(refusal[language].trim()).toBe(refusal[language]);
      expect(refusal[language].length).toBeGreaterThan(5);
    }
    expect(refusal.en).not.toBe(refusal.es);
    expect(refusal.status === 503 || (refusal.status >= 400 && refusal.status < 500)).toBe(true);
    expect(problemType(code)).toMatch(/^urn:anteroom:problem:[a-z_]+$/);
  });
});

test('no code is in two subjects, where one would hide the other', () => {
  const subjects = [
    requestRefusals,
    signInRefusals,
    practiceRefusals,
    visitRefusals,
    textingRefusals,
    formRefusals,
    paymentRefusals,
    ambulatoryRefusals,
  ];
  const codes = subjects.flatMap((subject) => Object.keys(subject));
  expect(codes.toSorted()).toEqual(Object.keys(refusals).toSorted());
});

test.each([
  ['wrong_code', 'Incorrect confimation code'],
  ['code_expired', "Code expired - click 're-send code'"],
] satisfies [RefusalCode, string][])('%s says what the specification quotes, to the letter', (code, quoted) =>
  expect(refusals[code].en).toBe(quoted),
);
