import { textOf, urls } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { writtenPhone } from '#questionnaire/known/written-phone.ts';

/** The format by which an item says that it asks for a US phone number. */
const phoneFormat = '(xxx) xxx-xxxx';

/** A US phone number as people write it, where the item asks for one; any other text unchanged. */
export function phoneText({ source }: FormItem, text: string): string {
  if (textOf(source, urls.entryFormat) !== phoneFormat) return text;
  return writtenPhone(text);
}
