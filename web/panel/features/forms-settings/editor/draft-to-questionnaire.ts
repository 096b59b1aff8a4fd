import { urls } from '#questionnaire/extensions.ts';
import type { AnswerOption, Extension, FhirElement, Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { hasPoints, isChoice, pointsOf, type Entry, type FormDraft, type Option, type Texts } from './form-draft.ts';

/** The questionnaire of a draft. `head` has the fields that the editor does not show, such as its id and address. */
export function toQuestionnaire({ title, entries }: FormDraft, head: Record<string, unknown>): Questionnaire {
  const items: Item[] = [];
  let section: Item | undefined;
  for (const entry of entries) {
    const item = toItem(entry, entries);
    if (entry.kind === 'group') {
      section = item;
      items.push(item);
    } else if (section) (section.item ??= []).push(item);
    else items.push(item);
  }
  return {
    resourceType: 'Questionnaire',
    status: 'active',
    ...head,
    ...wording('title', title),
    item: items,
  } as Questionnaire;
}

function toItem(entry: Entry, entries: readonly Entry[]): Item {
  const { linkId, kind, text, required, options } = entry;
  const item = { linkId, type: kind, ...wording('text', text) } as Item;
  if (kind === 'score') return { ...item, type: 'decimal', readOnly: true, extension: [sumOfPoints(entries)] };
  if (required) item.required = true;
  if (!isChoice(kind)) return item;
  return {
    ...item,
    type: 'choice',
    ...(kind === 'several' && { repeats: true }),
    answerOption: options.map(toAnswerOption),
  };
}

function toAnswerOption({ code, text, points }: Option): AnswerOption {
  const value = pointsOf(points);
  const extension: Extension[] = value === null ? [] : [{ url: urls.ordinalValue, valueDecimal: value }];
  return { valueCoding: { ...(extension.length > 0 && { extension }), code, ...wording('display', text) } };
}

/** Adds up the points of the chosen options. It names the questions, so that only their answers recalculate it. */
function sumOfPoints(entries: readonly Entry[]): Extension {
  const questions = entries.filter(hasPoints).map(({ linkId }) => `linkId='${linkId.replaceAll(/['\\]/g, '\\$&')}'`);
  const expression = `%resource.descendants().where(${questions.join(' or ') || 'false'}).answer.value.extension('${urls.ordinalValue}').value.sum()`;
  return { url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression } };
}

function wording(field: 'title' | 'text' | 'display', { en, es }: Texts): Record<string, string | FhirElement> {
  const spanish: FhirElement = {
    extension: [
      {
        url: urls.translation,
        extension: [
          { url: 'lang', valueCode: 'es' },
          { url: 'content', valueString: es.trim() },
        ],
      },
    ],
  };
  return { [field]: en.trim(), ...(es.trim() !== '' && { [`_${field}`]: spanish }) };
}
