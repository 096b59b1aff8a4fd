import { formOf } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type {
  Questionnaire,
  QuestionnaireResponse,
  ResponseAnswer,
  ResponseItem,
} from '#questionnaire/questionnaire.ts';

/** An item of a response with its question. */
export interface ItemInResponse {
  item: FormItem;
  answers: readonly ResponseAnswer[];
  /** The path of FHIRPath that leads to it: `item[0].item[2]`. */
  at: string;
  parent: ItemInResponse | undefined;
  children: ItemInResponse[];
}

/** The items of a response in their order, those that the questionnaire has. */
export function itemsInResponse(questionnaire: Questionnaire, response: QuestionnaireResponse): ItemInResponse[] {
  const { byLinkId } = formOf(questionnaire);
  const read = (
    items: readonly ResponseItem[] | undefined,
    before: string,
    parent: ItemInResponse | undefined,
  ): ItemInResponse[] =>
    (items ?? []).flatMap((given, i) => {
      const item = byLinkId.get(given.linkId);
      if (!item) return [];
      const at = `${before}item[${i}]`;
      const responseItem: ItemInResponse = { item, answers: given.answer ?? [], at, parent, children: [] };
      responseItem.children = [
        ...read(given.item, `${at}.`, responseItem),
        ...responseItem.answers.flatMap((answer, n) => read(answer.item, `${at}.answer[${n}].`, responseItem)),
      ];
      return [responseItem];
    });
  return read(response.item, '', undefined);
}
