import type { Language } from '#contract/shapes.ts';
import { fromResponse } from '#questionnaire/expressions/response.ts';
import { formOf } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { labelOf, labelOfCoding, optionFor } from '#questionnaire/options.ts';
import { keyOf } from '#questionnaire/positions.ts';
import type {
  Attachment,
  Coding,
  Quantity,
  Questionnaire,
  QuestionnaireResponse,
  Reference,
} from '#questionnaire/questionnaire.ts';
import { filledValues, type Value } from '#questionnaire/values.ts';
import { pdfMessages } from './pdf-messages.ts';

/** Filed forms of one version of a questionnaire. */
export interface FormsOfVersion {
  questionnaire: Questionnaire;
  responses: QuestionnaireResponse[];
  /** The reader's. */
  language: Language;
}

/** A column of the table of answers: a question, in one repetition of the groups around it. */
export interface AnswerColumn {
  key: string;
  linkId: string;
  text: string;
  /** Its repetitions, outermost first, from 0. */
  indices: readonly number[];
  /** Where it is in the questionnaire: an item's position before its repetition, outermost first. */
  place: readonly number[];
}

/** For each form its answers by column. */
interface AnswerCells {
  columns: AnswerColumn[];
  rows: Record<string, string>[];
}

/** Several answers to one question share a cell. */
const between = ' | ';

/** The answers as data: ISO dates, plain numbers, choices as the reader's language calls them. Runs in a worker only. */
export function answerCells({ questionnaire, responses, language }: FormsOfVersion): AnswerCells {
  const { all } = formOf(questionnaire);
  const positions = new Map(all.map((item, i) => [item, i]));
  const itemByName = new Map(all.map((item) => [keyOf(item, []), item]));
  const columns = new Map<string, AnswerColumn>();
  const rows = responses.map((response) => {
    const cells: Record<string, string> = {};
    for (const [key, values] of Object.entries(fromResponse(questionnaire, response).answers)) {
      const { name, indices } = partsOf(key);
      const item = itemByName.get(name);
      if (!item?.isQuestion) continue;
      const texts = filledValues(values).map((value) => cellText(item, value, language));
      if (texts.length === 0) continue;
      cells[key] = texts.join(between);
      if (!columns.has(key)) columns.set(key, columnOf(item, key, indices));
    }
    return cells;
  });
  return { columns: [...columns.values()], rows };

  function columnOf(item: FormItem, key: string, indices: number[]): AnswerColumn {
    const around = item.within.flatMap((group, i) => [positions.get(group) ?? 0, indices[i] ?? 0]);
    const text = questionText(item, language) || item.linkId;
    return { key, linkId: item.linkId, text, indices, place: [...around, positions.get(item) ?? 0] };
  }
}

function partsOf(key: string): { name: string; indices: number[] } {
  const found = /^((?:[^#]|##)*)#([\d.]+)$/.exec(key);
  return found
    ? { name: found[1] ?? '', indices: (found[2] ?? '').split('.').map(Number) }
    : { name: key, indices: [] };
}

function cellText(item: FormItem, value: Value, language: Language): string {
  const option = optionFor(item.options, value);
  if (option) return labelOf(option, language);
  if (typeof value === 'boolean') return value ? pdfMessages[language].yes : pdfMessages[language].no;
  if (typeof value !== 'object') return String(value);
  switch (item.type) {
    case 'quantity': {
      const { value: amount, unit, code } = value as Quantity;
      return `${amount ?? ''} ${unit ?? code ?? ''}`.trim();
    }
    case 'attachment':
      return (value as Attachment).title ?? pdfMessages[language].file;
    case 'reference':
      return (value as Reference).display ?? (value as Reference).reference ?? '';
    default:
      return labelOfCoding(value as Coding, language);
  }
}
