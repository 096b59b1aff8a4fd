import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { isEditable, offersNothing, type FormItem } from '#questionnaire/form-item.ts';
import { labelOf, optionFor, type Option } from '#questionnaire/options.ts';
import { overwrittenKey } from '#questionnaire/overwritten.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { isCoding, isSameValue, type Answers, type Value } from '#questionnaire/values.ts';
import { enabledItems } from '#questionnaire/visible-items.ts';

/** The answers to items that are asked: without blank ones, and without those that belong to no item. Overwritten calculations stay marked. */
export function enabledAnswers(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): Answers {
  const evaluation = evaluate(questionnaire, answers, setting);
  const enabled: Record<string, readonly Value[]> = {};
  // A mark elsewhere was not made by a person: a calculated score would look typed.
  const overwritable = new Set<Value>();
  for (const { item, key, indices, repetition } of enabledItems(evaluation, false)) {
    if (repetition !== undefined) enabled[key] = [evaluation.countOf(item, indices)];
    else if (item.isQuestion) {
      const values = evaluation.answersTo(item, indices);
      const stored = storedAnswers(setting?.offered?.get(key) ?? item, values);
      if (stored.length > 0) enabled[key] = stored;
      if (values.length > 0 && item.calculated !== undefined && isEditable(item)) overwritable.add(key);
    }
  }
  const marks = new Set(answers[overwrittenKey]?.filter((key) => typeof key === 'string' && overwritable.has(key)));
  if (marks.size > 0) enabled[overwrittenKey] = [...marks];
  return enabled;
}

/** The option that a typed text names, by its code or by its label in any language. */
function optionNamed(options: readonly Option[], text: string): Option | undefined {
  const fold = (name: string) => name.trim().toLowerCase();
  const typed = fold(text);
  return options.find((option) =>
    [labelOf(option, 'en'), labelOf(option, 'es'), isCoding(option.value) ? (option.value.code ?? '') : ''].some(
      (name) => fold(name) === typed,
    ),
  );
}

const noValues: readonly Value[] = [];

/**
 * Answers as they are filed: an option that was only named, by its text or by typing it, is that option, so that it counts. What is chosen
 * already stays typed. None if every option is switched off. The same list if nothing is filed differently.
 */
export function storedAnswers(
  { type, options, takesOther }: Pick<FormItem, 'type' | 'options' | 'takesOther'>,
  values: readonly Value[],
): readonly Value[] {
  if (offersNothing({ type, options, takesOther })) return noValues;
  if ((type !== 'choice' && type !== 'open-choice') || options.length === 0) return values;
  const stored = [...values];
  for (const [i, value] of values.entries()) {
    const isTyped = typeof value === 'string' && takesOther;
    const isByDisplay = isCoding(value) && value.code === undefined;
    const option = isTyped ? optionNamed(options, value) : isByDisplay ? optionFor(options, value) : undefined;
    if (option && !stored.some((one) => one !== value && isSameValue(one, option.value))) stored[i] = option.value;
  }
  return stored.every((value, i) => value === values[i]) ? values : stored;
}
