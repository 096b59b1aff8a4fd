import { useLingui } from '@lingui/react/macro';
import form from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';

/** The survey was sent already, or the time to answer it is over. */
export function SurveyGone({ onHome }: { onHome: () => void }) {
  const { t } = useLingui();
  return (
    <div className={form.done}>
      <h1>{t`This survey is closed`}</h1>
      <p>{t`It was sent already, or the time to answer it is over. If something worries you, please call the office.`}</p>
      <button type="button" className={buttons.main} onClick={onHome}>
        {t`Back`}
      </button>
    </div>
  );
}
