import type { Language } from '#questionnaire/language/language.ts';
import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { keyOf, maxRepetitions, type Indices } from '#questionnaire/positions.ts';
import { extensionOf, isFlagged, urls } from '#questionnaire/extensions.ts';
import { formOf, rootSignature, type Form } from '#questionnaire/form.ts';
import { isOverwritten, overwrittenKey } from '#questionnaire/overwritten.ts';
import { valueIn } from '#questionnaire/values.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { isEditable, type FormItem } from '#questionnaire/form-item.ts';
import { extensionsOfOption, optionFor } from '#questionnaire/options.ts';
import { storedAnswers } from './enabled-answers.ts';
import type { ProblemCode } from '#questionnaire/checking/problem-codes.ts';
import { problemsOf, type Problem } from '#questionnaire/checking/problems.ts';
import { isRecord, filledValues, type Answers, type Value } from '#questionnaire/values.ts';
import type {
  Attachment,
  Coding,
  Extension,
  FhirElement,
  ItemType,
  Questionnaire,
  QuestionnaireResponse,
  ResponseAnswer,
  ResponseItem,
  TypedValue,
} from '#questionnaire/questionnaire.ts';

/** What a response holds besides the answers. */
export interface ResponseMetadata {
  status: QuestionnaireResponse['status'];
  /** An instant. */
  authored?: string;
  /** The language in which the patient read the questions; their texts are stored with the answers. */
  language?: Language;
  /** For expressions: each chosen option with its extensions (scores, weights), wherever the questionnaire has them. */
  withOptionExtensions?: boolean;
}

/**
 * The response that expressions see. What is in `kept` is taken over unread, and what is made is added, but for items that are in
 * repetitions.
 */
export const expressionResponse = (
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext,
  itemCache?: Map<FormItem, ResponseItem[]>,
): QuestionnaireResponse =>
  toResponse(questionnaire, answers, { status: 'in-progress', withOptionExtensions: true }, setting, itemCache);

/** Writes answers as a QuestionnaireResponse: in the questionnaire's order, without items that are not asked. */
export function toResponse(
  questionnaire: Questionnaire,
  answers: Answers,
  about: ResponseMetadata,
  setting?: EvaluationContext,
  itemCache?: Map<FormItem, ResponseItem[]>,
): QuestionnaireResponse {
  const evaluation = evaluate(questionnaire, answers, setting);
  const { language } = about;

  function itemsOf(items: readonly FormItem[], indices: Indices): ResponseItem[] {
    return items.flatMap((item) => {
      const known = itemCache?.get(item);
      if (known) return known;
      const made = makeItems(item, indices);
      if (indices.length === 0) itemCache?.set(item, made);
      return made;
    });
  }

  function makeItems(item: FormItem, indices: Indices): ResponseItem[] {
    if (item.linkId === rootSignature || !evaluation.isEnabled(item, indices)) return [];
    return item.type === 'group' ? groupsOf(item, indices) : questionOf(item, indices);
  }

  function groupsOf(group: FormItem, indices: Indices): ResponseItem[] {
    const count = group.repeats ? evaluation.countOf(group, indices) : 1;
    return Array.from({ length: count }, (_, i) => itemsOf(group.children, group.repeats ? [...indices, i] : indices))
      .filter((inside) => inside.length > 0)
      .map((item) => ({ ...headOf(group), item }));
  }

  function questionOf(item: FormItem, indices: Indices): ResponseItem[] {
    const offering = setting?.offered?.get(keyOf(item, indices)) ?? item;
    const values = item.isQuestion ? storedAnswers(offering, evaluation.answersTo(item, indices)) : [];
    const answer = values.flatMap((value, i): ResponseAnswer[] => {
      const typed = about.withOptionExtensions ? optionValue(item, value) : typedValue(item, value);
      if (!typed) return [];
      const inside = itemsOf(item.children, item.repeats ? [...indices, i] : indices);
      return [{ ...typed, ...(inside.length > 0 && { item: inside }) }];
    });
    if (answer.length === 0) return [];
    const isByHand = item.calculated !== undefined && isOverwritten(answers, keyOf(item, indices));
    const extension = [{ url: urls.overwritten, valueBoolean: true }];
    return [{ ...(isByHand && { extension }), ...headOf(item), answer }];
  }

  function headOf(item: FormItem): ResponseItem {
    const text = language ? questionText(item, language) : (item.source.text ?? '');
    return { linkId: item.linkId, ...(text !== '' && { text }) };
  }

  const { url, version } = questionnaire;
  const items = itemsOf(evaluation.form.items, []);
  const signature = signatureExtension(evaluation.form, answers);
  return {
    resourceType: 'QuestionnaireResponse',
    ...(signature && { extension: [signature] }),
    ...(language && { language }),
    ...(url && { questionnaire: version ? `${url}|${version}` : url }),
    status: about.status,
    ...(about.authored && { authored: about.authored }),
    ...(items.length > 0 && { item: items }),
  };
}

const valueNames: Readonly<
  Record<Exclude<ItemType, 'group' | 'display' | 'choice' | 'open-choice'>, keyof TypedValue>
> = {
  boolean: 'valueBoolean',
  decimal: 'valueDecimal',
  integer: 'valueInteger',
  date: 'valueDate',
  dateTime: 'valueDateTime',
  time: 'valueTime',
  string: 'valueString',
  text: 'valueString',
  url: 'valueUri',
  quantity: 'valueQuantity',
  attachment: 'valueAttachment',
  reference: 'valueReference',
};

/** The value as a `value[x]`; undefined if the item cannot hold it. */
function typedValue(item: FormItem, value: Value): TypedValue | undefined {
  const name = valueName(item, value);
  if (!name || !fitsName(name, value)) return undefined;
  if (name === 'valueCoding' && typeof value === 'string') return { valueCoding: { display: value } };
  if (name === 'valueTime' && typeof value === 'string' && value.length === 5) return { valueTime: `${value}:00` };
  return { [name]: value };
}

/**
 * A chosen option as published instruments read it: `answer.valueCoding.extension('…/ordinalValue').value`. Extensions of a plain value
 * are in a field of their own (`_valueString`), as FHIR has it.
 */
function optionValue(item: FormItem, value: Value): TypedValue | undefined {
  const typed = typedValue(item, value);
  const option = typed && optionFor(item.options, value);
  if (!option) return typed;
  const extension = extensionsOfOption(option);
  if (option.kind === 'valueCoding')
    return { valueCoding: { ...(option.value as Coding), ...(extension.length > 0 && { extension }) } };
  return extension.length > 0 ? ({ ...typed, [`_${option.kind}`]: { extension } } as TypedValue) : typed;
}

function valueName({ type, options, takesOther }: FormItem, value: Value): keyof TypedValue | undefined {
  if (type === 'group' || type === 'display' || type === 'unknown') return undefined;
  if (type !== 'choice' && type !== 'open-choice') return valueNames[type];
  const option = optionFor(options, value);
  if (option) return option.kind;
  if (isRecord(value)) return 'reference' in value ? 'valueReference' : 'valueCoding';
  if (typeof value !== 'string' || !takesOther) return undefined;
  return type === 'open-choice' ? 'valueString' : 'valueCoding';
}

function fitsName(name: keyof TypedValue, value: Value): boolean {
  if (name === 'valueCoding' && typeof value === 'string') return true;
  if (name === 'valueBoolean') return typeof value === 'boolean';
  if (name === 'valueDecimal' || name === 'valueInteger') return typeof value === 'number' && Number.isFinite(value);
  const isObject =
    name === 'valueAttachment' || name === 'valueCoding' || name === 'valueQuantity' || name === 'valueReference';
  return isObject ? isRecord(value) : typeof value === 'string';
}

/** Reads a response into answers, and reports what does not belong to the questionnaire. `problemsOf` checks the answers themselves. */
export function fromResponse(
  questionnaire: Questionnaire,
  response: QuestionnaireResponse,
): { answers: Answers; problems: Problem[] } {
  const form = formOf(questionnaire);
  const answers: Record<string, readonly Value[]> = {};
  const problems: Problem[] = [];
  const overwritten: string[] = [];
  const tell = (code: ProblemCode, linkId: string, path = '') => {
    if (problems.length < 500) problems.push({ code, linkId, path });
  };

  function readItems(values: unknown, allowed: readonly FormItem[], indices: Indices): void {
    if (values === undefined) return;
    if (!Array.isArray(values)) return tell('wrong_kind', '');
    const times = new Map<FormItem, number>();
    for (const one of values as unknown[]) {
      const linkId = isRecord(one) && typeof one['linkId'] === 'string' ? one['linkId'] : '';
      const item = allowed.find((each) => each.linkId === linkId);
      if (!isRecord(one) || !item) {
        tell('no_such_item', linkId);
        continue;
      }
      const time = times.get(item) ?? 0;
      times.set(item, time + 1);
      const key = keyOf(item, indices);
      if (item.type === 'group') readGroup(one, item, indices, time);
      else if (time > 0) tell('said_twice', linkId, key);
      else if (item.isQuestion) readQuestion(one, item, indices);
    }
  }

  function readGroup(one: Record<string, unknown>, group: FormItem, indices: Indices, time: number): void {
    const key = keyOf(group, indices);
    if (one['answer'] !== undefined) tell('wrong_kind', group.linkId, key);
    if (!group.repeats && time > 0) return tell('said_twice', group.linkId, key);
    if (time >= maxRepetitions) return tell('too_many', group.linkId, key);
    if (group.repeats) answers[key] = [time + 1];
    readItems(one['item'], group.children, group.repeats ? [...indices, time] : indices);
  }

  function readQuestion(one: Record<string, unknown>, item: FormItem, indices: Indices): void {
    const key = keyOf(item, indices);
    if (one['item'] !== undefined) tell('wrong_kind', item.linkId, key);
    const answerList = one['answer'] ?? [];
    if (!Array.isArray(answerList)) return tell('wrong_kind', item.linkId, key);
    if (!item.repeats && answerList.length > 1) tell('too_many', item.linkId, key);
    const values: Value[] = [];
    for (const [i, answer] of (answerList as unknown[]).slice(0, item.repeats ? maxRepetitions : 1).entries()) {
      const value = isRecord(answer) ? valueIn(answer as TypedValue) : undefined;
      const name = isRecord(answer) && Object.keys(answer).find((field) => field.startsWith('value'));
      if (value === undefined || !isRecord(answer)) {
        tell('wrong_kind', item.linkId, key);
        continue;
      }
      if (name !== valueName(item, value)) tell('wrong_kind', item.linkId, key);
      values.push(value);
      readItems(answer['item'], item.children, item.repeats ? [...indices, i] : indices);
    }
    if (values.length > 0) answers[key] = values;
    if (item.calculated !== undefined && isEditable(item) && isFlagged(one as FhirElement, urls.overwritten))
      overwritten.push(key);
  }

  readItems(
    response.item,
    form.items.filter(({ linkId }) => linkId !== rootSignature),
    [],
  );
  const signed = signatureIn(response);
  if (signed && form.byLinkId.has(rootSignature)) answers[rootSignature] = [signed];
  if (overwritten.length > 0) answers[overwrittenKey] = overwritten;
  return { answers, problems };
}

/** Everything for which the server refuses a response: foreign items, questions that were not asked, missing or wrong answers. */
export function checkResponse(
  questionnaire: Questionnaire,
  response: QuestionnaireResponse,
  setting?: EvaluationContext,
): Problem[] {
  const { answers, problems } = fromResponse(questionnaire, response);
  return [...problems, ...notAskedIn(questionnaire, answers, setting), ...problemsOf(questionnaire, answers, setting)];
}

function notAskedIn(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): Problem[] {
  const evaluation = evaluate(questionnaire, answers, setting);
  return evaluation.form.all.flatMap((item) => {
    if (!item.isQuestion) return [];
    return placesOf(item, answers)
      .filter(({ key, indices }) => filledValues(answers[key]).length > 0 && !evaluation.isEnabled(item, indices))
      .map(({ key }): Problem => ({ code: 'not_asked', linkId: item.linkId, path: key }));
  });
}

function placesOf(item: FormItem, answers: Answers): { key: string; indices: Indices }[] {
  if (item.within.length === 0) return [{ key: keyOf(item, []), indices: [] }];
  const start = keyOf(item, [0]).slice(0, -1);
  return Object.keys(answers)
    .filter((key) => key.startsWith(start) && /^[\d.]+$/.test(key.slice(start.length)))
    .map((key) => ({ key, indices: key.slice(start.length).split('.').map(Number) }));
}

function signatureExtension(form: Form, answers: Answers): Extension | undefined {
  const signed = filledValues(answers[rootSignature])[0] as Attachment | undefined;
  if (!signed || !form.byLinkId.has(rootSignature)) return undefined;
  const { contentType, title, creation } = signed;
  return {
    url: urls.responseSignature,
    valueSignature: {
      extension: [{ url: urls.signatureFile, valueAttachment: signed }],
      type: [{ system: 'urn:iso-astm:E1762-95:2013', code: '1.2.840.10065.1.12.1.1', display: "Author's Signature" }],
      ...(creation && { when: creation }),
      who: { display: title ?? '' },
      ...(contentType && { sigFormat: contentType }),
    },
  };
}

function signatureIn(response: QuestionnaireResponse): Attachment | undefined {
  const signature = extensionOf(response, urls.responseSignature)?.['valueSignature'];
  if (!isRecord(signature)) return undefined;
  const file = extensionOf(signature, urls.signatureFile)?.['valueAttachment'];
  return isRecord(file) ? file : undefined;
}
