import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { PrintIcon } from '#web/icons/print.tsx';
import { formatDate, Money } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import css from './transactions.module.css';
import { useDayReport } from './use-transactions.ts';

/** What moved on one day: charged, refunded, recorded, missing, and by card brand. */
export function DayReport({ today, onClose }: { today: string; onClose: () => void }) {
  const { t } = useLingui();
  const [day, setDay] = useState(today);
  const isDay = day !== '' && day <= today;
  const report = useDayReport(isDay ? day : today);
  const data = isDay ? report.data : undefined;
  const language = useLanguage();
  const { office } = useSession();
  const rows = data && [
    [t`Charged`, data.charged],
    [t`Refunded`, 0 - data.refunded],
    [t`Total`, data.net],
    [t`Recorded in the practice software`, data.recorded],
    [t`Missing in the practice software`, data.missing],
    ...(data.waiting > 0 ? [[t`Not recorded yet`, data.waiting]] : []),
    ...(data.refundedAfterRecording > 0 ? [[t`Refunded after recording`, 0 - data.refundedAfterRecording]] : []),
    ...(data.unknownCount > 0 ? [[t`Outcome unknown (${data.unknownCount}), not counted above`, data.unknown]] : []),
  ];
  return (
    <Dialog
      title={t`End-of-day report`}
      size="l"
      onClose={onClose}
      footer={
        <>
          <Button icon={PrintIcon} locked={!data} onClick={() => window.print()}>
            {t`Print`}
          </Button>
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      <div className={css.report}>
        <p className={css.printed}>
          <strong>{office?.officeName}</strong>
          {isDay && ` · ${formatDate(day, language)}`}
        </p>
        <TextInput
          type="date"
          label={t`Day`}
          max={today}
          value={day}
          error={isDay ? undefined : t`Choose today or an earlier day.`}
          onChange={(event) => setDay(event.target.value)}
        />
        {isDay && report.isError && !data && <LoadError title={t`The report could not be loaded`} query={report} />}
        {rows && (
          <dl className={css.sums}>
            {rows.map(([label, cents]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Money cents={Number(cents)} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {data && data.methods.length > 0 && (
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t`Payment method`}</th>
                <th scope="col" className={css.number}>{t`Payments`}</th>
                <th scope="col" className={css.number}>{t`Charged`}</th>
                <th scope="col" className={css.number}>{t`Refunded`}</th>
                <th scope="col" className={css.number}>{t`Recorded`}</th>
                <th scope="col" className={css.number}>{t`Missing`}</th>
              </tr>
            </thead>
            <tbody>
              {data.methods.map(({ method, count, charged, refunded, recorded, missing }) => (
                <tr key={method}>
                  <td>{method || t`Card`}</td>
                  <td className={css.number} data-label={t`Payments`}>
                    {count}
                  </td>
                  <td className={css.number} data-label={t`Charged`}>
                    <Money cents={charged} />
                  </td>
                  <td className={css.number} data-label={t`Refunded`}>
                    <Money cents={refunded} />
                  </td>
                  <td className={css.number} data-label={t`Recorded`}>
                    <Money cents={recorded} />
                  </td>
                  <td className={css.number} data-label={t`Missing`}>
                    <Money cents={missing} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Dialog>
  );
}
