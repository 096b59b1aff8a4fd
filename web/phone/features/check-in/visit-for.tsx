import { useLingui } from '@lingui/react/macro';
import type { VisitFor } from './check-in-draft.ts';
import choiceCss from '#web/questionnaire/ui/choice.module.css';
import css from './check-in-form.module.css';

/** The first question of a check-in: it decides whose names the form asks for. */
export function VisitForQuestion({ value, onChange }: { value: VisitFor; onChange: (visitFor: VisitFor) => void }) {
  const { t } = useLingui();
  const answers: [VisitFor, string][] = [
    ['me', t`Me`],
    ['child', t`My child`],
    ['several', t`Several`],
  ];
  return (
    <fieldset className={css.visitFor}>
      <legend>{t`Who is this visit for?`}</legend>
      {answers.map(([answer, label]) => (
        <label key={answer} className={choiceCss.choice}>
          <input type="radio" name="visitFor" checked={value === answer} onChange={() => onChange(answer)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
