import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Money } from '#web/kit/format.tsx';
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
  const { data } = report;
  const rows = data && [
    [t`Charged`, data.charged],
    [t`Refunded`, -data.refunded],
    [t`Total`, data.net],
    [t`Recorded in the practice software`, data.recorded],
    [t`Missing in the practice software`, data.missing],
  ];
  return (
    <Dialog
      title={t`End-of-day report`}
      size="m"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t`Close`}</Button>}
    >
      <div className={css.report}>
        <TextInput
          type="date"
          label={t`Day`}
          max={today}
          value={day}
          error={isDay ? undefined : t`Choose today or an earlier day.`}
          onChange={(event) => setDay(event.target.value)}
        />
        {report.isError && !data && <LoadError title={t`The report could not be loaded`} query={report} />}
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
              </tr>
            </thead>
            <tbody>
              {data.methods.map(({ method, count, charged, refunded }) => (
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
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Dialog>
  );
}
