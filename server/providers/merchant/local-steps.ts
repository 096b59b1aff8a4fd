import { businessTypes } from '#contract/merchant.ts';
import { states } from '#contract/practice/choices.ts';
import type { FormAnswers } from './local-sql.ts';

/** The five steps of the hosted form, in their order, and what each asks for. */
export const formSteps = ['consent', 'business', 'owner', 'processing', 'bank'] as const;
export type FormStep = (typeof formSteps)[number];

export interface FormField {
  name: FieldName;
  kind: 'text' | 'check' | 'choice' | 'state' | 'date' | 'digits' | 'tel';
  /** Only its last four characters are stored. */
  secret?: true;
  isValid: (value: string, now: Date) => boolean;
}

const fieldNames = [
  'consent',
  'legalName',
  'businessType',
  'taxId',
  'phone',
  'line1',
  'city',
  'state',
  'zip',
  'firstName',
  'lastName',
  'title',
  'birthDate',
  'share',
  'annualVolume',
  'averagePayment',
  'holder',
  'routing',
  'account',
] as const;
export type FieldName = (typeof fieldNames)[number];

const text = (name: FieldName, longest = 100): FormField => ({
  name,
  kind: 'text',
  isValid: (value) => value.length > 0 && value.length <= longest && !/\p{Cc}/u.test(value),
});
const digitsOf = (value: string) => value.replace(/[\s().-]/g, '');
const digits = (name: FieldName, pattern: RegExp, secret?: true): FormField => ({
  name,
  kind: 'digits',
  isValid: (value) => pattern.test(digitsOf(value)),
  ...(secret && { secret }),
});

export const stepFields: Record<FormStep, readonly FormField[]> = {
  consent: [{ name: 'consent', kind: 'check', isValid: (value) => value === 'yes' }],
  business: [
    text('legalName'),
    { name: 'businessType', kind: 'choice', isValid: (value) => businessTypes.some((type) => type === value) },
    digits('taxId', /^\d{9}$/, true),
    { name: 'phone', kind: 'tel', isValid: (value) => /^(\+?1)?\d{10}$/.test(digitsOf(value)) },
    text('line1'),
    text('city', 60),
    { name: 'state', kind: 'state', isValid: (value) => Object.hasOwn(states, value) },
    digits('zip', /^\d{5}(\d{4})?$/),
  ],
  owner: [
    text('firstName'),
    text('lastName'),
    text('title'),
    { name: 'birthDate', kind: 'date', isValid: isGrownUp },
    { name: 'share', kind: 'digits', isValid: (value) => /^\d{1,3}$/.test(value) && +value >= 1 && +value <= 100 },
  ],
  processing: [digits('annualVolume', /^[1-9]\d{0,8}$/), digits('averagePayment', /^[1-9]\d{0,5}$/)],
  bank: [
    text('holder'),
    { name: 'routing', kind: 'digits', isValid: isRoutingNumber },
    digits('account', /^\d{4,17}$/, true),
  ],
};

/** The check digit of American routing numbers: weights 3, 7 and 1, a multiple of ten. */
function isRoutingNumber(value: string): boolean {
  if (!/^\d{9}$/.test(value)) return false;
  return [...value].reduce((sum, digit, i) => sum + Number(digit) * [3, 7, 1][i % 3]!, 0) % 10 === 0;
}

function isGrownUp(value: string, now: Date): boolean {
  const born = new Date(`${value}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(born.getTime())) return false;
  const birthday18 = Date.UTC(born.getUTCFullYear() + 18, born.getUTCMonth(), born.getUTCDate());
  return birthday18 <= now.getTime() && born.getUTCFullYear() > 1900;
}

/** Checks a step: what to store, and which fields are wrong. A secret that is on file may stay empty. */
export function readStep(
  step: FormStep,
  typed: FormAnswers,
  stored: FormAnswers,
  now: Date,
): { answers: FormAnswers; wrong: FieldName[] } {
  const answers: Record<string, string> = {};
  const wrong: FieldName[] = [];
  for (const { name, secret, isValid } of stepFields[step]) {
    const value = (typed[name] ?? '').trim();
    if (secret && value === '' && stored[name]) continue;
    if (!isValid(value, now)) wrong.push(name);
    else answers[name] = secret ? digitsOf(value).slice(-4) : value;
  }
  return { answers, wrong };
}
