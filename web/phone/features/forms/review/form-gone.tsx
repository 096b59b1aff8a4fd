import { useLingui } from '@lingui/react/macro';
import css from '#web/questionnaire/form.module.css';

/** The practice does not ask for the form. */
export function FormGone() {
  const { t } = useLingui();
  return (
    <div className={css.done}>
      <h1>{t`This form is not here`}</h1>
      <p>{t`The practice is not asking for it right now. What you already filled in is saved.`}</p>
    </div>
  );
}
