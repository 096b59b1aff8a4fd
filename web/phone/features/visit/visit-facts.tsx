import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { useNow } from '#web/kit/clock.ts';
import { minutesSince, Time, useForeignZone, WaitingTime } from '#web/kit/format.tsx';
import css from './visit-facts.module.css';

/** Who the visit is for, since when they wait, and until when at the latest. */
export function VisitFacts({ visit }: { visit: PatientVisit }) {
  const { t } = useLingui();
  const zone = useForeignZone();
  const { members, createdAt, statusAt, statusCode, autoInviteAt, stillWaitingAt } = visit;
  const waiting = statusCode === 'WAITING';
  return (
    <dl className={css.facts}>
      {members.length > 0 && (
        <div>
          <dt>{t`Patients`}</dt>
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
          <Time at={createdAt} /> {zone} · <HowLong since={createdAt} />
        </dd>
      </div>
      {!waiting && (
        <div>
          <dt>{statusCode === 'GOING' ? t`On your way` : t`Called in`}</dt>
          <dd>
            <Time at={statusAt} /> {zone} · <HowLong since={statusAt} />
          </dd>
        </div>
      )}
      {waiting && autoInviteAt !== null && (
        <div>
          <dt>{t`We’ll call you in by`}</dt>
          <dd>
            <Time at={autoInviteAt} /> {zone}
          </dd>
        </div>
      )}
      {waiting && stillWaitingAt !== null && (
        <div>
          <dt>{t`You told us you’re still waiting`}</dt>
          <dd>
            <Time at={stillWaitingAt} /> {zone}
          </dd>
        </div>
      )}
    </dl>
  );
}

function HowLong({ since }: { since: string }) {
  const { t } = useLingui();
  return minutesSince(since, useNow()) === 0 ? t`just now` : <WaitingTime since={since} />;
}
