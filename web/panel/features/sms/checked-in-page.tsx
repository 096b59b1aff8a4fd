import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { mayMove } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { PersonAddIcon } from '#web/icons/person-add.tsx';
import { RemoveVisit, TextNewPatient, useRemoveExpected, useResend } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { CheckinList } from './checkins.tsx';
import { SmsFrame } from './sms-frame.tsx';
import css from './sms.module.css';
import { useCheckinMove, useCheckins, useRemoveCheckin } from './use-checkins.ts';

/** `/sms-dashboard/checked-in`: today's patients who are here, and below them those who were texted and have not arrived. */
export function CheckedInPage() {
  const { t } = useLingui();
  const list = useCheckins('open');
  const [dialog, setDialog] = useState<{ correcting?: SmsCheckin } | null>(null);
  const all = list.data ?? [];
  const here = all.filter(({ arrivedAt }) => arrivedAt !== null);
  const expected = all.filter(({ arrivedAt }) => arrivedAt === null);
  const expectedTitle = t({ message: 'Expected', context: 'the group of patients who are expected' });
  return (
    <SmsFrame title={t`Checked In`}>
      <div className={css.heading}>
        <h1>
          {t`Checked In`} {list.data && <Counter>{here.length}</Counter>}
        </h1>
        <Button icon={PersonAddIcon} onClick={() => setDialog({})}>
          {t`Text a patient`}
        </Button>
      </div>
      <Card>
        {list.isError && all.length === 0 && <LoadError title={t`The patients could not be loaded.`} query={list} />}
        {list.isSuccess && here.length === 0 && (
          <EmptyState icon={InboxIcon} title={t`No patients right now`}>
            {t`Patients appear here when you text them the check-in link, and when they check in.`}
          </EmptyState>
        )}
        <CheckinList
          label={t`Checked In`}
          checkins={here}
          actions={(checkin) => <CheckinActions checkin={checkin} />}
        />
      </Card>
      {expected.length > 0 && (
        <Card
          title={
            <>
              {expectedTitle} <Counter>{expected.length}</Counter>
            </>
          }
        >
          <CheckinList
            label={expectedTitle}
            checkins={expected}
            actions={(checkin) => (
              <ExpectedActions checkin={checkin} onCorrect={() => setDialog({ correcting: checkin })} />
            )}
          />
        </Card>
      )}
      {dialog && <TextNewPatient correcting={dialog.correcting} onClose={() => setDialog(null)} />}
    </SmsFrame>
  );
}

function CheckinActions({ checkin }: { checkin: SmsCheckin }) {
  const { t } = useLingui();
  const move = useCheckinMove();
  const remove = useRemoveCheckin();
  const act = (to: 'invite' | 'reinvite' | 'finish') => !move.isPending && move.mutate({ checkin, move: to });
  if (checkin.status === 'WAIT')
    return (
      <>
        {mayMove(checkin, 'remove') && (
          <RemoveVisit onRemove={(reason) => !remove.isPending && remove.mutate({ checkin, reason })} />
        )}
        <Button variant="filled" busy={move.isPending} onClick={() => act('invite')}>{t`Invite in`}</Button>
      </>
    );
  return (
    <>
      <Button busy={move.isPending} onClick={() => act('finish')}>{t`Move to history`}</Button>
      {/* Where 'Invite in' was: a second, impatient click ends no visit. */}
      <Button busy={move.isPending} onClick={() => act('reinvite')}>{t`Reinvite`}</Button>
    </>
  );
}

/** A patient who was texted and has not arrived: the text can be repeated, its number corrected, the row removed with Undo. */
function ExpectedActions({ checkin, onCorrect }: { checkin: SmsCheckin; onCorrect: () => void }) {
  const { t } = useLingui();
  const resend = useResend();
  const remove = useRemoveExpected();
  const busy = resend.isPending || remove.isPending;
  return (
    <>
      <Button size="s" busy={resend.isPending} locked={busy} onClick={() => resend.mutate(checkin)}>
        {t`Text again`}
      </Button>
      <Button size="s" locked={busy} onClick={onCorrect}>{t`Correct number`}</Button>
      <Button size="s" locked={busy} onClick={() => remove.mutate(checkin)}>{t`Remove`}</Button>
    </>
  );
}
