import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CheckedIn } from '#contract/queue.ts';
import { Time } from '#web/kit/format.tsx';
import { Avatar } from '#web/panel/ui/avatar.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { ListRow } from './list-row.tsx';
import list from './list.module.css';
import css from './todays-forms.module.css';
import { useShownName } from './use-shown-name.ts';

/** One page of today's patients. */
export function TodaysList({ patients, onOpen }: { patients: readonly CheckedIn[]; onOpen: (id: string) => void }) {
  return (
    <ul className={list.list}>
      {patients.map((patient) => (
        <Row key={patient.id} patient={patient} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Row({ patient, onOpen }: { patient: CheckedIn; onOpen: (id: string) => void }) {
  const { t } = useLingui();
  const name = useShownName()(patient.patientName);
  const { id, createdAt, activePatients, formsFiled, review, covidReview } = patient;
  const more = activePatients.length - 1;
  return (
    <ListRow
      lead={
        <div className={css.avatar}>
          <Avatar name={patient.patientName} />
        </div>
      }
      name={
        <>
          <bdi>{name}</bdi>
          {more > 0 && <span className={css.more}>{t`and ${more} more`}</span>}
        </>
      }
      facts={
        <>
          <span>
            <Trans>
              Arrived <Time at={createdAt} />
            </Trans>
          </span>
          <span className={css.count}>
            <FormIcon size={14} />
            {formsFiled === 0 ? t`No forms` : t`${plural(formsFiled, { one: '# form', other: '# forms' })}`}
          </span>
          {review && (
            <StatusBadge tone="amber" icon={WarningIcon}>
              {covidReview ? t`COVID Review` : t`Review`}
            </StatusBadge>
          )}
        </>
      }
      buttons={
        <Button
          size="s"
          icon={EyeIcon}
          aria-haspopup="dialog"
          locked={formsFiled === 0}
          onClick={() => formsFiled > 0 && onOpen(id)}
        >
          {t`View Forms`}
          <VisuallyHidden>{name}</VisuallyHidden>
        </Button>
      }
    />
  );
}
