import { expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import { createFormItem } from '#questionnaire/form-item.ts';
import { phoneText } from './phone-text.ts';

const item = (format?: string) =>
  createFormItem(
    {
      linkId: 'a',
      type: 'string',
      ...(format && { extension: [{ url: urls.entryFormat, valueString: format }] }),
    },
    undefined,
    { resourceType: 'Questionnaire' },
  );

test.each([
  ['2125550177', '(212) 555-0177'],
  ['+1 212-555-0177', '(212) 555-0177'],
  ['212', '212'],
])('the phone number %s is shown as %s', (typed, shown) => {
  expect(phoneText(item('(xxx) xxx-xxxx'), typed)).toBe(shown);
});

test('ten digits of another question stay as they are', () => {
  expect(phoneText(item(), '2125550177')).toBe('2125550177');
});
