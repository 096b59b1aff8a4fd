import { createFormItem, isHint, type FormItem } from './form-item.ts';
import { extensionOf, urls } from './extensions.ts';
import type { FhirElement, Item, Questionnaire } from './questionnaire.ts';

/** A questionnaire prepared for use: its items in order, and by linkId. */
export interface Form {
  questionnaire: Questionnaire;
  items: FormItem[];
  /** Every item, in the order of the questionnaire. */
  all: FormItem[];
  byLinkId: ReadonlyMap<string, FormItem>;
  usesExpressions: boolean;
}

/** The item of the signature that the questionnaire as a whole requires. In the response it is an extension, not an item. */
export const rootSignature = '$signature';

const preparedForms = new WeakMap<Questionnaire, Form>();

/** The form of a questionnaire, prepared once for each questionnaire object. */
export function formOf(questionnaire: Questionnaire): Form {
  const known = preparedForms.get(questionnaire);
  if (known) return known;
  const form = prepareForm(questionnaire);
  preparedForms.set(questionnaire, form);
  return form;
}

function prepareForm(questionnaire: Questionnaire): Form {
  const all: FormItem[] = [];
  const byLinkId = new Map<string, FormItem>();

  const makeItem = (source: Item, parent: FormItem | undefined): FormItem => {
    const item = createFormItem(source, parent, questionnaire);
    all.push(item);
    if (!byLinkId.has(item.linkId)) byLinkId.set(item.linkId, item);
    for (const child of source.item ?? []) {
      const made = makeItem(child, item);
      if (isHint(made)) item.hints.push(made);
      else item.children.push(made);
      item.size += made.size;
    }
    item.hasRepetitions =
      item.children.some((child) => child.hasRepetitions) || (item.repeats && item.children.length > 0);
    return item;
  };
  const items = (questionnaire.item ?? []).map((source) => makeItem(source, undefined));
  if (extensionOf(questionnaire, urls.signatureRequired)) items.push(makeItem(wholeSignature, undefined));
  for (const item of all) item.within = repeatingAround(item);
  const evaluated: readonly string[] = [
    urls.constraint,
    urls.targetConstraint,
    urls.answersBy,
    urls.candidatesBy,
    urls.optionsToggle,
  ];
  const isEvaluated = ({ extension }: FhirElement) => extension?.some(({ url }) => evaluated.includes(url)) ?? false;
  const usesExpressions =
    isEvaluated(questionnaire) ||
    all.some((item) => item.calculated ?? item.enabledBy ?? item.initialBy ?? isEvaluated(item.source));
  return { questionnaire, items, all, byLinkId, usesExpressions };
}

const wholeSignature: Item = {
  linkId: rootSignature,
  type: 'attachment',
  text: 'Signature',
  required: true,
  _text: {
    extension: [
      {
        url: urls.translation,
        extension: [
          { url: 'lang', valueCode: 'es' },
          { url: 'content', valueString: 'Firma' },
        ],
      },
    ],
  },
  extension: [{ url: urls.signatureRequired }],
};

/** The repeating items around an item, outermost first. A repeating question repeats its follow-ups, once for each answer. */
function repeatingAround(item: FormItem): FormItem[] {
  const around: FormItem[] = [];
  const isNote = item.type === 'display' && item.parent?.isQuestion;
  for (let one = isNote ? item.parent?.parent : item.parent; one; one = one.parent)
    if (one.repeats) around.unshift(one);
  return around;
}
