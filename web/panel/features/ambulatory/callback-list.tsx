import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import type { NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { WaitingTime } from '#web/kit/format.tsx';
import { OfficeMoment } from '#web/kit/when.tsx';
import { PatientPhone, SoundSwitch } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Pager } from '#web/panel/ui/pager.tsx';
import css from './ambulatory.module.css';
import { CallbackBadge } from './callback-badge.tsx';
import { CallbackButtons } from './callback-buttons.tsx';
import { CallbackReasons } from './callback-reasons.tsx';
import { useNewCallbacks } from './new-callbacks.ts';
import { PainHeaders, usePainNames } from './pain-headers.tsx';
import { PatientLink } from './patient-link.tsx';
import type { PainColumn, PainSort } from './patients-search.ts';
import type { useCallbacks } from './use-callbacks.ts';

interface CallbackListProps {
  callbacks: ReturnType<typeof useCallbacks>;
  sorted: PainSort;
  onSort: (column: PainColumn) => void;
  onPage: (page: number) => void;
  onClose: (callback: NurseCallback) => void;
}

/** Whom a nurse has to call: why, since when, and who does it. */
export function CallbackList({ callbacks, sorted, onSort, onPage, onClose }: CallbackListProps) {
  const { t } = useLingui();
  const { data } = callbacks;
  const newIds = useNewCallbacks().map(({ id }) => id);
  return (
    <section className={css.section} aria-labelledby="nurse-callbacks">
      <div className={css.heading}>
        <h2 id="nurse-callbacks">{t`Nurse callbacks`}</h2>
        <NewCallbacks />
        <SoundSwitch />
      </div>
      {callbacks.isPending && <Skeleton height={96} />}
      {callbacks.isError && !data && <LoadError title={t`The callbacks could not be loaded`} query={callbacks} />}
      {callbacks.isRefetchError && (
        <Banner tone="red">{errorMessage(callbacks.error, t`The server could not be reached.`)}</Banner>
      )}
      {data?.total === 0 && <EmptyState icon={CheckCircleIcon} title={t`Nobody is waiting for a call`} />}
      {data && data.total > 0 && (
        <>
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t`Patient`}</th>
                <th scope="col">{t`Why`}</th>
                <th scope="col">{t`Waiting`}</th>
                <PainHeaders sorted={sorted} onSort={onSort} />
                <th scope="col">{t`Phone`}</th>
                <th scope="col">{t`Callback`}</th>
              </tr>
            </thead>
            <tbody>
              {data.callbacks.map((callback) => (
                <Row key={callback.id} callback={callback} isNew={newIds.includes(callback.id)} onClose={onClose} />
              ))}
            </tbody>
          </table>
          {data.total > data.pageSize && <Pager {...data} label={t`Pages of callbacks`} onPage={onPage} />}
        </>
      )}
    </section>
  );
}

/** How many came since the panel was opened and nobody here has looked at: opens the first of them. */
function NewCallbacks() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const fresh = useNewCallbacks();
  const [first] = fresh;
  if (!first) return null;
  const count = fresh.length;
  const { userCode: user, userId: episode } = first;
  const open = () => void navigate({ to: '/dashboard/patient-details', search: { user, episode } });
  return (
    <button type="button" className={css.fresh} onClick={open}>
      {t({ context: 'a callback', message: plural(count, { one: '# new', other: '# new' }) })}
      <ChevronRightIcon size={12} />
    </button>
  );
}

interface RowProps {
  callback: NurseCallback;
  /** Came while this panel was open, and nobody here has opened it yet. */
  isNew: boolean;
  onClose: (callback: NurseCallback) => void;
}

function Row({ callback, isNew, onClose }: RowProps) {
  const { t } = useLingui();
  const names = usePainNames();
  const { patientName, phoneNumber, raisedAt, state } = callback;
  return (
    <tr data-callback={state === 'open' ? '' : undefined} data-new={isNew ? '' : undefined}>
      <td>
        <span className={css.inline}>
          <PatientLink {...callback} name={patientName} />
          <CallbackBadge callback={callback} />
        </span>
      </td>
      <td data-label={t`Why`}>
        <CallbackReasons callback={callback} />
      </td>
      <td data-label={t`Waiting`}>
        <span>
          <Trans>
            <WaitingTime since={raisedAt} />, since <OfficeMoment at={raisedAt} />
          </Trans>
        </span>
      </td>
      <td data-label={names.stationary} className={css.score}>
        {callback.stationaryPainScore ?? '–'}
      </td>
      <td data-label={names.movement} className={css.score}>
        {callback.movementPainScore ?? '–'}
      </td>
      <td data-label={t`Phone`}>
        <a href={`tel:${phoneNumber}`}>
          <PatientPhone phone={phoneNumber} />
        </a>
      </td>
      <td data-label={t`Callback`}>
        <CallbackButtons callback={callback} onClose={onClose} />
      </td>
    </tr>
  );
}
