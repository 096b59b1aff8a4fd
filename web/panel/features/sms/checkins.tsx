import { Trans, useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { useNow } from '#web/kit/clock.ts';
import { formatTime, Time, useOfficeZone, WaitingTime } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import {
  CheckinTextStatus,
  PatientName,
  PatientPhone,
  textBlockName,
  useEndReasonLabel,
  visitLooks,
} from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './sms.module.css';
import { statusLabel } from './status-label.ts';
import { fullName } from './use-checkins.ts';

/** Rows on screen at first, and how many more a press shows: a long day does not slow the page down. */
const rowsAtOnce = 100;

/** Patients of the day, the first ones on screen and more by a button. */
export function CheckinList({
  label,
  checkins,
  actions,
}: {
  label: string;
  checkins: readonly SmsCheckin[];
  actions?: (checkin: SmsCheckin) => ReactNode;
}) {
  const { t } = useLingui();
  const [count, setCount] = useState(rowsAtOnce);
  const hidden = checkins.length - count;
  return (
    <>
      <ul className={css.list} aria-label={label}>
        {checkins.slice(0, count).map((checkin) => (
          <CheckinItem key={checkin._id} checkin={checkin}>
            {actions?.(checkin)}
          </CheckinItem>
        ))}
      </ul>
      {hidden > 0 && <Button onClick={() => setCount(count + rowsAtOnce)}>{t`Show more rows (${hidden})`}</Button>}
    </>
  );
}

/** One patient of the day: name, 'Text sent' and 'Arrived', phone number, status, and the row's buttons. */
function CheckinItem({ checkin, children }: { checkin: SmsCheckin; children?: ReactNode }) {
  const { t } = useLingui();
  const { patientId, arrivedAt, text } = checkin;
  const name = fullName(patientId);
  const label = useStatusLabel(checkin);
  const look = visitLooks[checkin.statusCode];
  // Of a patient who is here, only a text that did not arrive matters.
  const isTroubled = text !== null && ['failed', 'held', 'unknown'].includes(text.state);
  return (
    <li className={css.item}>
      <div className={css.about}>
        <div className={css.who}>
          {name === '' ? t`Name not known yet` : <PatientName name={name} />}
          {label !== '' && (
            <StatusBadge tone={look.tone} icon={look.icon}>
              {label}
            </StatusBadge>
          )}
          {arrivedAt !== null && checkin.status !== 'HISTORY' && <WaitingTime since={arrivedAt} />}
          <NoTexts checkin={checkin} />
        </div>
        <p className={css.note}>
          {arrivedAt === null ? (
            <CheckinTextStatus checkin={checkin} />
          ) : (
            <Trans>
              Arrived <Time at={arrivedAt} />
            </Trans>
          )}
          {(arrivedAt !== null || text !== null) && ' · '}
          <PatientPhone phone={patientId.phone} />
        </p>
        {arrivedAt !== null && isTroubled && (
          <p className={css.note}>
            <CheckinTextStatus checkin={checkin} />
          </p>
        )}
      </div>
      <div className={css.end}>{children}</div>
    </li>
  );
}

/** A badge for a number that gets no texts. In History it matters no more. */
function NoTexts({ checkin: { textBlock, status } }: { checkin: SmsCheckin }) {
  if (status === 'HISTORY' || textBlock === null) return null;
  return (
    <StatusBadge tone="red" icon={PhoneOffIcon}>
      {textBlockName(textBlock)}
    </StatusBadge>
  );
}

/** The status as the SMS dashboard names it, with the reason of staff who ended it; empty for a patient who has not arrived. */
function useStatusLabel(checkin: SmsCheckin): string {
  const now = useNow();
  const time = useTimeOfDay(checkin.autoInviteAt);
  const reasons = useEndReasonLabel();
  const label = statusLabel(checkin, now, time);
  return checkin.endReason ? `${label} · ${reasons[checkin.endReason]}` : label;
}

function useTimeOfDay(at: string | null): string {
  const zone = useOfficeZone();
  const language = useLanguage();
  return at === null ? '' : formatTime(at, language, zone);
}
