import { useLingui } from '@lingui/react/macro';
import { minutesSince } from '#web/kit/format.tsx';
import { useNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import { OfflineIcon } from '#web/icons/offline.tsx';
import message from '#web/questionnaire/ui/message.module.css';

/** `heardAt` is a time of this phone's own clock, even if that is wrong. */
const minutesOld = (heardAt: number) => minutesSince(heardAt, Date.now());

/** Says honestly that the connection is lost, and how old the page is. */
export function OfflineBar({ kept }: { kept: string }) {
  const { t } = useLingui();
  const { lost, heardAt } = useConnection();
  useNow();
  const minutes = minutesOld(heardAt);
  return (
    <div role="status">
      {lost && (
        <p className={message.amber}>
          <OfflineIcon />
          <span>
            <strong>{t`No connection.`}</strong> {kept}{' '}
            {minutes > 0 ? t`This page is ${minutes} min old.` : t`We keep trying.`}
          </span>
        </p>
      )}
    </div>
  );
}
