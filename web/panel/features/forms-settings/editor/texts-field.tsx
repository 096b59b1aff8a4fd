import { useLingui } from '@lingui/react/macro';
import { TextArea } from '#web/panel/ui/field.tsx';
import css from './editor.module.css';
import type { DraftProblem, Texts } from './form-draft.ts';

interface TextsFieldProps {
  /** What the text is, such as "Title". */
  label: string;
  value: Texts;
  problem: DraftProblem | undefined;
  onChange: (texts: Texts) => void;
}

/** A text in English and Spanish, side by side where there is room. */
export function TextsField({ label, value, problem, onChange }: TextsFieldProps) {
  const { t } = useLingui();
  const messages: Partial<Record<DraftProblem, string>> = {
    wording: t`Enter the English wording.`,
    same: t`Another option has the same words. Patients could not tell them apart.`,
    long: t`Use at most 80 characters.`,
    no_points: t`Give points to at least one option of a choice.`,
    options: t`Add an option.`,
  };
  const error = problem && messages[problem];
  const spanishError =
    problem === 'same_es' && t`Another option reads the same in Spanish. Patients could not tell them apart.`;
  return (
    <div className={css.texts}>
      <TextArea
        label={t`${label} in English`}
        lang="en"
        rows={1}
        value={value.en}
        {...(error !== undefined && { error })}
        onChange={(event) => onChange({ ...value, en: event.target.value })}
      />
      <TextArea
        label={t`${label} in Spanish`}
        lang="es"
        rows={1}
        value={value.es}
        {...(spanishError && { error: spanishError })}
        onChange={(event) => onChange({ ...value, es: event.target.value })}
      />
    </div>
  );
}
