import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient/visit.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './called-bar.module.css';
import { DoorIcon } from '#web/icons/door.tsx';
import { useStatusMessages } from './status-messages.ts';

/** Above a form: the practice calls the patient in, with a link to the visit. */
export function CalledBar({ visit, onVisit }: { visit: PatientVisit; onVisit: () => void }) {
  const { t } = useLingui();
  const { title, todo } = useStatusMessages(visit);
  return (
    <section className={css.bar} aria-label={title}>
      <DoorIcon size={32} />
      <p>
        <strong>{title}</strong> {todo}
      </p>
      <button type="button" className={buttons.small} onClick={onVisit}>
        {t`Show my visit`}
      </button>
    </section>
  );
}
