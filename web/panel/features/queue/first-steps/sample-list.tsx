import { useLingui } from '@lingui/react/macro';
import { useSession } from '#web/kit/session.ts';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Avatar } from '#web/panel/ui/avatar.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { PatientName } from '#web/panel/features/queue/privacy.tsx';
import css from './sample.module.css';
import { sampleQueue } from './sample-queue.ts';
import { useSampleQueue } from './sample-store.ts';
import { VisitStatusBadge } from '#web/panel/features/queue/card/visit-status.tsx';

interface SampleListProps {
  /** A real patient is on screen. */
  isOther: boolean;
  onSelect: () => void;
}

/** The sample patients below the real ones, and the button that removes them. */
export function SampleList({ isOther, onSelect }: SampleListProps) {
  const { t } = useLingui();
  const samples = useSampleQueue(useSession().office?.id);
  if (!samples) return null;
  return (
    <section className={css.list} aria-label={t`Sample patients`}>
      <div className={css.top}>
        <h2>{t`Sample patients`}</h2>
        <Button size="s" icon={TrashIcon} onClick={sampleQueue.clear}>
          {t`Remove samples`}
        </Button>
      </div>
      <p className={css.note}>{t`For practice, in this browser tab only. Nothing is saved, sent or counted.`}</p>
      <ul>
        {samples.patients.map(({ visit }) => (
          <li key={visit.id}>
            <button
              type="button"
              className={css.card}
              aria-current={(!isOther && visit.id === samples.selectedId) || undefined}
              onClick={() => {
                sampleQueue.select(visit.id);
                onSelect();
              }}
            >
              <Avatar name={visit.patientName} />
              <span className={css.who}>
                <span className={css.name}>
                  <PatientName name={visit.patientName} />
                </span>
                <span className={css.marks}>
                  <VisitStatusBadge visit={visit} />
                  <span className={css.sample}>{t`Sample`}</span>
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
