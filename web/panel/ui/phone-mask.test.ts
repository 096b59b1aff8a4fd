import { expect, test } from 'vitest';
import { caretAfter, editPhone, maskPhone } from './phone-mask.ts';

/** Pastes into an empty field. */
const pasted = (text: string) => maskPhone(editPhone('', text, text.length).digits);

test.each([
  '+1 555 987 6543',
  '1-555-987-6543',
  '15559876543',
  '+15559876543',
  '(555) 987-6543',
  '555.987.6543',
  '555 987 6543 x12',
  ' 5559876543 ',
])('%s pasted is the right patient', (text) => {
  expect(pasted(text)).toBe('(555) 987-6543');
});

test('a pasted number from another country is ignored instead of shortened', () => {
  expect(pasted('+44 20 7946 0958')).toBe('');
});

test('an eleventh digit does not push another one out', () => {
  expect(editPhone('5559876543', '(5559) 987-6543', 5)).toEqual({ digits: '5559876543', caret: 3 });
});

test('typed digit by digit', () => {
  let digits = '';
  const shown = [...'15559876543'].map((key) => {
    const text = maskPhone(digits) + key;
    digits = editPhone(digits, text, text.length).digits;
    return maskPhone(digits);
  });
  expect(shown).toEqual([
    '',
    '(5',
    '(55',
    '(555',
    '(555) 9',
    '(555) 98',
    '(555) 987',
    '(555) 987-6',
    '(555) 987-65',
    '(555) 987-654',
    '(555) 987-6543',
  ]);
});

test('backspace over a bracket takes the digit before it', () => {
  expect(editPhone('5559876543', '(555 987-6543', 4, 'backward')).toEqual({ digits: '559876543', caret: 2 });
});

test('delete before a dash takes the digit after it', () => {
  expect(editPhone('5559876543', '(555) 9876543', 9, 'forward')).toEqual({ digits: '555987543', caret: 6 });
});

test('deleting a digit in the middle keeps the caret there', () => {
  const edit = editPhone('5559876543', '(555) 97-6543', 7, 'backward');
  expect(edit).toEqual({ digits: '555976543', caret: 4 });
  expect(caretAfter(maskPhone(edit.digits), edit.caret)).toBe(7);
});
