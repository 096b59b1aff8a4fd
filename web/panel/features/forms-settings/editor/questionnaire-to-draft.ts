import { extensionOf, numberOf, translationOf, urls } from '#questionnaire/extensions.ts';
import type { FhirElement, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { toQuestionnaire } from './draft-to-questionnaire.ts';
import { kinds, type Entry, type FormDraft, type Kind, type Texts } from './form-draft.ts';

/** A questionnaire as a draft, or the parts of it that the editor cannot show: such a form is not edited. */
export type OpenedForm =
  | { draft: FormDraft; head: Record<string, unknown>; unknown: [] }
  | { draft: null; unknown: string[] };

/**
 * Opens a questionnaire for editing. It is opened only if the draft gives the very same questionnaire again, so that saving never loses
 * anything.
 */
export function toDraft(questionnaire: Questionnaire): OpenedForm {
  const { title, _title, item: items = [], ...head } = questionnaire;
  const draft: FormDraft = { title: textsOf(title, _title), entries: items.flatMap(toEntries) };
  const again = toQuestionnaire(draft, head);
  const isKnownHead = head.extension === undefined && !('contained' in head);
  if (isKnownHead && isSame(again, questionnaire)) return { draft, head, unknown: [] };
  const rebuilt = new Map(flat(again.item ?? []).map((item) => [item.linkId, item]));
  const unknown = flat(items)
    .filter((item) => !isSame(withoutItems(item), withoutItems(rebuilt.get(item.linkId))))
    .map(({ text, linkId }) => text ?? linkId);
  return { draft: null, unknown };
}

function toEntries(item: Item): Entry[] {
  if (item.type !== 'group') return [toEntry(item)];
  return [toEntry(item), ...(item.item ?? []).map(toEntry)];
}

function toEntry(item: Item): Entry {
  return {
    linkId: item.linkId,
    kind: kindOf(item),
    text: textsOf(item.text, item._text),
    required: item.required === true,
    options: (item.answerOption ?? []).map(({ valueCoding = {} }) => ({
      code: valueCoding.code ?? '',
      text: textsOf(valueCoding.display, valueCoding._display),
      points: String(numberOf(valueCoding, urls.ordinalValue) ?? ''),
    })),
  };
}

function kindOf(item: Item): Kind {
  if (item.type === 'decimal' && extensionOf(item, urls.calculated)) return 'score';
  if (item.type === 'choice' && item.repeats === true) return 'several';
  return kinds.find((kind) => kind === item.type) ?? 'string';
}

const textsOf = (text: string | undefined, beside: FhirElement | undefined): Texts => ({
  en: text ?? '',
  es: translationOf(undefined, beside, 'es'),
});

const flat = (items: readonly Item[]): Item[] => items.flatMap((item) => [item, ...flat(item.item ?? [])]);

/** An item as it is, with the names of those in it: a question that is not where the draft has it counts as unknown. */
const withoutItems = (item: Item | undefined) => item && { ...item, item: item.item?.map(({ linkId }) => linkId) };

/** Whether two values are the same as JSON, whatever the order of their fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [a, b] as Record<string, unknown>[];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return false;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isSame(left[key], right[key]));
}
