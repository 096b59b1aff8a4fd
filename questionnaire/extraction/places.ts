import { formOf } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type {
  Questionnaire,
  QuestionnaireResponse,
  ResponseAnswer,
  ResponseItem,
} from '#questionnaire/questionnaire.ts';

/** An item of a response with its question. */
export interface Place {
  item: FormItem;
  answers: readonly ResponseAnswer[];
  /** The path of FHIRPath that leads to it: `item[0].item[2]`. */
  at: string;
  parent: Place | undefined;
  children: Place[];
}

/** The items of a response in their order, those that the questionnaire has. */
export function placesOf(questionnaire: Questionnaire, response: QuestionnaireResponse): Place[] {
  const { byLinkId } = formOf(questionnaire);
  const read = (items: readonly ResponseItem[] | undefined, before: string, parent: Place | undefined): Place[] =>
    (items ?? []).flatMap((given, i) => {
      const item = byLinkId.get(given.linkId);
      if (!item) return [];
      const at = `${before}item[${i}]`;
      const place: Place = { item, answers: given.answer ?? [], at, parent, children: [] };
      place.children = [
        ...read(given.item, `${at}.`, place),
        ...place.answers.flatMap((answer, n) => read(answer.item, `${at}.answer[${n}].`, place)),
      ];
      return [place];
    });
  return read(response.item, '', undefined);
}
