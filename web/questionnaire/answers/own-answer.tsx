import { useLingui } from '@lingui/react/macro';
import { isCoding, type Value } from '#questionnaire/values.ts';
import fields from '#web/questionnaire/ui/field.module.css';

/** The answer to a choice in the patient's own words. */
export function OwnAnswerInput({ own, onText }: { own: Value | undefined; onText: (text: string) => void }) {
  const { t } = useLingui();
  return (
    <input
      type="text"
      dir="auto"
      className={fields.input}
      aria-label={t`In your own words`}
      placeholder={t`In your own words`}
      value={textOfValue(own)}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

export const textOfValue = (value: Value | undefined) =>
  typeof value === 'string' ? value : isCoding(value) ? (value.display ?? '') : '';
