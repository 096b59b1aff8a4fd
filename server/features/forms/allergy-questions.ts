import type { Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { questionText } from '#questionnaire/form-texts.ts';

const allergy = /\ball?[eé]rg/i;
/** A title such as "Allergies and medicines" names more than allergies. */
const names = /[,&/]|\b(and|or|y|o)\b/i;

/**
 * The questions about allergies, with their follow-ups. FHIR has no mark for them that practices' own forms would carry, so they are known
 * by their words, in English and Spanish.
 */
export function allergyQuestions({ all, byLinkId }: Form): ReadonlySet<FormItem> {
  const found = new Set<FormItem>();
  for (const item of all) {
    const { parent, conditions } = item;
    const isInside = parent !== undefined && found.has(parent);
    const followsUp =
      conditions.length > 0 &&
      conditions.every(({ question }) => {
        const questionItem = byLinkId.get(question);
        return questionItem !== undefined && found.has(questionItem);
      });
    if (isInside || followsUp || isAboutAllergies(item)) found.add(item);
  }
  return found;
}

function isAboutAllergies(item: FormItem): boolean {
  const title = `${questionText(item, 'en')} ${questionText(item, 'es')}`.trim();
  if (item.type === 'group' && names.test(title)) return false;
  return allergy.test(title) || allergy.test(item.linkId);
}
