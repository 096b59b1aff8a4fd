import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { AlertCircleIcon as WarningIcon } from '#web/icons/alert-circle.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import choiceCss from '#web/questionnaire/ui/choice.module.css';
import fields from '#web/questionnaire/ui/field.module.css';
import type { FormToShare } from './share-draft.ts';
import css from './sharing.module.css';

interface FormChoicesProps {
  forms: FormToShare[];
  /** Submission ids. */
  chosen: string[];
  /** At least one must be chosen, and none is. */
  isWrong: boolean;
  onChosen: (chosen: string[]) => void;
}

/** Which forms the link opens, by family member. */
export function FormChoices({ forms, chosen, isWrong, onChosen }: FormChoicesProps) {
  const { t } = useLingui();
  const errorId = useId();
  const people = [...new Set(forms.map(({ name }) => name))];
  const choose = (submissionId: string, isOn: boolean) =>
    onChosen(isOn ? [...chosen, submissionId] : chosen.filter((id) => id !== submissionId));
  return (
    <fieldset className={css.question}>
      <legend>{t`Which forms?`}</legend>
      {people.map((person) => (
        <div key={person} role="group" aria-label={person} className={css.choices}>
          {people.length > 1 && <bdi className={css.whose}>{person}</bdi>}
          {forms
            .filter(({ name }) => name === person)
            .map(({ submissionId, formName }) => (
              <label key={submissionId} className={choiceCss.choice}>
                <input
                  type="checkbox"
                  aria-invalid={isWrong || undefined}
                  aria-describedby={isWrong ? errorId : undefined}
                  checked={chosen.includes(submissionId)}
                  onChange={(event) => choose(submissionId, event.target.checked)}
                />
                <span>{formName}</span>
              </label>
            ))}
        </div>
      ))}
      {isWrong && (
        <p id={errorId} className={fields.error}>
          <WarningIcon size={16} />
          <span>{t`Select at least one form.`}</span>
        </p>
      )}
      {forms.length > 2 && chosen.length < forms.length && (
        <button
          type="button"
          className={`${buttons.link} ${css.start}`}
          onClick={() => onChosen(forms.map(({ submissionId }) => submissionId))}
        >
          {t`Select all`}
        </button>
      )}
    </fieldset>
  );
}
