import { translationOf } from '#questionnaire/extensions.ts';
import type { Form } from '#questionnaire/form.ts';
import type { FhirElement } from '#questionnaire/questionnaire.ts';
import type { ReportItem } from './report-item.ts';

/** Counts the texts for patients that have no Spanish translation, and reports the number once. */
export function checkTranslations({ all, questionnaire }: Form, report: ReportItem): void {
  const isMissing = (text: string | undefined, beside: FhirElement | undefined) =>
    text !== undefined && /\p{L}{2}/u.test(text) && translationOf(undefined, beside, 'es') === '';
  let missing = isMissing(questionnaire.title, questionnaire._title) ? 1 : 0;
  const counted = new Set<readonly unknown[]>();
  for (const { source, options, hidden } of all) {
    if (hidden) continue;
    if (isMissing(source.text, source._text)) missing += 1;
    if (counted.has(options)) continue;
    counted.add(options);
    for (const { source: option } of options) {
      const { valueString, _valueString, valueCoding } = option;
      if (isMissing(valueString, _valueString) || isMissing(valueCoding?.display, valueCoding?._display)) missing += 1;
    }
  }
  if (missing > 0) report(undefined, 'not_translated', 'warning', '', String(missing));
}
