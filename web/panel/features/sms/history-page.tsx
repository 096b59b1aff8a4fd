import { useLingui } from '@lingui/react/macro';
import { HistoryIcon } from '#web/icons/history.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { CheckinList } from './checkins.tsx';
import { SmsFrame } from './sms-frame.tsx';
import css from './sms.module.css';
import { useCheckins } from './use-checkins.ts';

/** `/sms-dashboard/history`: today's patients who are done. */
export function HistoryPage() {
  const { t } = useLingui();
  const list = useCheckins('history');
  const checkins = list.data ?? [];
  return (
    <SmsFrame title={t`Patient History`}>
      <div className={css.heading}>
        <h1>
          {t({ message: 'History', context: 'the patients who are done' })} <Counter>{checkins.length}</Counter>
        </h1>
      </div>
      <Card>
        {list.isError && checkins.length === 0 && (
          <LoadError title={t`The patients could not be loaded.`} query={list} />
        )}
        {list.isSuccess && checkins.length === 0 && (
          <EmptyState icon={HistoryIcon} title={t`Nobody is done yet today`} />
        )}
        <CheckinList label={t({ message: 'History', context: 'the patients who are done' })} checkins={checkins} />
      </Card>
    </SmsFrame>
  );
}
