import { useLingui } from '@lingui/react/macro';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { HistoryIcon } from '#web/icons/history.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { CheckinList } from './checkins.tsx';
import { SmsFrame } from './sms-frame.tsx';
import css from './sms.module.css';
import { useCheckins, useMoveBack } from './use-checkins.ts';

/** `/sms-dashboard/history`: today's patients who are done. */
export function HistoryPage() {
  const { t } = useLingui();
  const list = useCheckins('history');
  const checkins = list.data ?? [];
  return (
    <SmsFrame title={t`Patient History`}>
      <div className={css.heading}>
        <h1>
          {t({ message: 'History', context: 'the patients who are done' })}{' '}
          {list.data && <Counter>{checkins.length}</Counter>}
        </h1>
      </div>
      <Card>
        {list.isError && checkins.length === 0 && (
          <LoadError title={t`The patients could not be loaded.`} query={list} />
        )}
        {list.isSuccess && checkins.length === 0 && (
          <EmptyState icon={HistoryIcon} title={t`Nobody is done yet today`} />
        )}
        <CheckinList
          label={t({ message: 'History', context: 'the patients who are done' })}
          checkins={checkins}
          actions={(checkin) => checkin.statusCode === 'DOCTOR_CANCELLED' && <MoveBack checkin={checkin} />}
        />
      </Card>
    </SmsFrame>
  );
}

function MoveBack({ checkin }: { checkin: SmsCheckin }) {
  const { t } = useLingui();
  const moveBack = useMoveBack();
  return (
    <Button
      icon={UndoIcon}
      busy={moveBack.isPending}
      onClick={() => !moveBack.isPending && moveBack.mutate(checkin._id)}
    >
      {t`Move back`}
    </Button>
  );
}
