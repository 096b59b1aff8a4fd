import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CheckedIn } from '#contract/queue.ts';
import { Time } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { Avatar, initialsOf } from '#web/panel/ui/avatar.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ChevronLeftIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import css from './old-forms.module.css';

export const pageSize = 10;

/** A patient's name as this screen may show it. */
export function useShownName(): (name: string) => string {
  const privacy = useSession().person?.preferences.privacy === true;
  return (name) => (privacy ? initialsOf(name) : name);
}

/** One page of today's patients. */
export function TodaysList({ patients, onOpen }: { patients: readonly CheckedIn[]; onOpen: (id: string) => void }) {
  return (
    <ul className={css.list}>
      {patients.map((patient) => (
        <Row key={patient.id} patient={patient} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Row({ patient, onOpen }: { patient: CheckedIn; onOpen: (id: string) => void }) {
  const { t } = useLingui();
  const name = useShownName()(patient.patientName);
  const { id, createdAt, activePatients, formsFiled, review } = patient;
  const more = activePatients.length - 1;
  return (
    <li className={css.row}>
      <Avatar name={patient.patientName} />
      <div className={css.about}>
        <p className={css.patient}>
          <bdi>{name}</bdi>
          {more > 0 && <span className={css.more}>{t`and ${more} more`}</span>}
        </p>
        <p className={css.facts}>
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
              {t`COVID Review`}
            </StatusBadge>
          )}
        </p>
      </div>
      <Button size="s" icon={EyeIcon} aria-haspopup="dialog" onClick={() => onOpen(id)}>
        {t`View Forms`}
        <VisuallyHidden>{name}</VisuallyHidden>
      </Button>
    </li>
  );
}

interface PagerProps {
  page: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which of how many, and the neighbours of this page where there are any. */
export function Pager({ page, total, onPage }: PagerProps) {
  const { t } = useLingui();
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  const several = total > pageSize;
  return (
    <nav className={css.pager} aria-label={t`Pages`}>
      {several && (
        <Button size="s" icon={ChevronLeftIcon} locked={page === 1} onClick={() => onPage(page - 1)}>
          {t`Back`}
        </Button>
      )}
      <span role="status">
        {first} - {last} {t({ message: 'of', context: 'x - y of total' })} {total}
      </span>
      {several && (
        <Button size="s" icon={ChevronRightIcon} locked={last >= total} onClick={() => onPage(page + 1)}>
          {t`Next`}
        </Button>
      )}
    </nav>
  );
}
