import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient.ts';
import { Time, useForeignZone, WaitingTime } from '#web/kit/format.tsx';
import css from './visit-facts.module.css';

/** Who is being seen, since when, and until when at the latest. */
export function VisitFacts({ visit }: { visit: PatientVisit }) {
  const { t } = useLingui();
  const zone = useForeignZone();
  const { members, createdAt, statusAt, statusCode, autoInviteAt, stillWaitingAt } = visit;
  const waiting = statusCode === 'WAITING';
  return (
    <dl className={css.facts}>
      {members.length > 0 && (
        <div>
          <dt>{t`Being seen`}</dt>
          <dd>
            {members.map(({ name }, i) => (
              <bdi key={i} className={css.name}>
                {name}
              </bdi>
            ))}
          </dd>
        </div>
      )}
      <div>
        <dt>{t`Checked in`}</dt>
        <dd>
          <Time at={createdAt} /> {zone} · <WaitingTime since={createdAt} />
        </dd>
      </div>
      {!waiting && (
        <div>
          <dt>{statusCode === 'GOING' ? t`On your way` : t`Called in`}</dt>
          <dd>
            <Time at={statusAt} /> {zone} · <WaitingTime since={statusAt} />
          </dd>
        </div>
      )}
      {waiting && autoInviteAt !== null && (
        <div>
          <dt>{t`Called in by`}</dt>
          <dd>
            <Time at={autoInviteAt} /> {zone}
          </dd>
        </div>
      )}
      {waiting && stillWaitingAt !== null && (
        <div>
          <dt>{t`You asked`}</dt>
          <dd>
            <Time at={stillWaitingAt} /> {zone}
          </dd>
        </div>
      )}
    </dl>
  );
}
