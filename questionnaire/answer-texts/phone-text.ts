import { textOf, urls } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';

/** The format by which an item says that it asks for a US phone number. */
const phoneFormat = '(xxx) xxx-xxxx';

/** A US phone number as people write it, where the item asks for one; any other text unchanged. */
export function phoneText({ source }: FormItem, text: string): string {
  if (textOf(source, urls.entryFormat) !== phoneFormat) return text;
  return writtenPhone(text);
}

/** A US phone number as people write it: (212) 555-0101; any other text unchanged. */
export function writtenPhone(text: string): string {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(text.replaceAll(/[\s().-]/g, ''));
  return digits ? `(${digits[1]}) ${digits[2]}-${digits[3]}` : text;
}
