import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { outboxStates, type OutboxState, type OutboxText } from '#contract/sms.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HandIcon } from '#web/icons/hand.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { useSettled } from '#web/kit/use-settled.ts';
import { PatientName, PatientPhone, textReason } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { SearchInput, Select } from '#web/panel/ui/field.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { StatusBadge, type Tone } from '#web/panel/ui/status-badge.tsx';
import { EditText } from './edit-text.tsx';
import { OutboxTime } from './outbox-time.tsx';
import { Sends } from './sends.tsx';
import css from './sms.module.css';
import { useOutbox, useOutboxMove } from './use-outbox.ts';

/** The office's texts, the latest first, and what can still be done about each. */
export function Outbox() {
  const { t } = useLingui();
  const [state, setState] = useState<OutboxState | ''>('');
  const [edited, setEdited] = useState<OutboxText | null>(null);
  const [search, setSearch] = useState('');
  const isSearching = search.trim() !== '';
  const outbox = useOutbox(state, useSettled(search.trim()));
  const names = useStateNames();
  const texts = outbox.data?.pages.flatMap((page) => page.texts) ?? [];
  const counts = outbox.data?.pages[0]?.counts;
  const filter = (
    <div className={css.filters}>
      <SearchInput
        label={t`Search by name or number`}
        placeholder={t`Name or number`}
        value={search}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setSearch('')}
      />
      <Select
        label={t`Show`}
        hideLabel
        value={state}
        onChange={(event) => setState(event.target.value as OutboxState | '')}
      >
        <option value="">{t`All texts`}</option>
        <optgroup label={t`Status (last 30 days)`}>
          {outboxStates.map((of) => (
            <option key={of} value={of}>
              {counts ? `${names[of]} (${counts[of] ?? 0})` : names[of]}
            </option>
          ))}
        </optgroup>
      </Select>
    </div>
  );
  const showAll = () => {
    setState('');
    setSearch('');
  };
  return (
    <Card title={t`Outbox`} actions={filter}>
      <Sends />
      {outbox.isError && texts.length === 0 && <LoadError title={t`The outbox could not be loaded.`} query={outbox} />}
      {outbox.isSuccess && texts.length === 0 && (
        <EmptyState
          icon={InboxIcon}
          title={isSearching ? t`No texts found` : state === '' ? t`No texts yet` : t`No texts in this state`}
          action={(isSearching || state !== '') && <Button onClick={showAll}>{t`Show all texts`}</Button>}
        />
      )}
      <ul className={css.list} aria-label={t`Outbox`}>
        {texts.map((text) => (
          <Item key={text.id} text={text} onEdit={() => setEdited(text)} />
        ))}
      </ul>
      {outbox.hasNextPage && (
        <Button busy={outbox.isFetchingNextPage} onClick={() => void outbox.fetchNextPage()}>
          {t`Show earlier texts`}
        </Button>
      )}
      {edited && <EditText text={edited} onClose={() => setEdited(null)} />}
    </Card>
  );
}

const looks: Record<OutboxState, [Tone, Icon]> = {
  scheduled: ['blue', ClockIcon],
  sending: ['blue', SendIcon],
  sent: ['gray', CheckIcon],
  delivered: ['green', CheckCircleIcon],
  failed: ['red', WarningIcon],
  stopped: ['red', PhoneOffIcon],
  unknown: ['amber', HelpIcon],
  held: ['amber', HandIcon],
  cancelled: ['gray', CloseCircleIcon],
};

function useStateNames(): Record<OutboxState, string> {
  const { t } = useLingui();
  return {
    scheduled: t({ message: 'Scheduled', context: 'a text in the outbox' }),
    sending: t({ message: 'Sending', context: 'a text in the outbox' }),
    sent: t({ message: 'Sent', context: 'a text in the outbox' }),
    delivered: t({ message: 'Delivered', context: 'a text in the outbox' }),
    failed: t({ message: 'Failed', context: 'a text in the outbox' }),
    stopped: t({ message: 'Stopped (opted out)', context: 'a text in the outbox' }),
    unknown: t({ message: 'Unknown', context: 'a text in the outbox' }),
    held: t({ message: 'Held', context: 'a text in the outbox' }),
    cancelled: t({ message: 'Canceled', context: 'a text in the outbox' }),
  };
}

function Item({ text, onEdit }: { text: OutboxText; onEdit: () => void }) {
  const { t } = useLingui();
  const names = useStateNames();
  const move = useOutboxMove();
  const [tone, stateIcon] = looks[text.state];
  const reason = text.state === 'cancelled' ? null : textReason(text.state, text.problem);
  const act = (to: 'cancel' | 'release' | 'retry') => !move.isPending && move.mutate({ text, move: to });
  const may = (action: OutboxText['actions'][number]) => text.actions.includes(action);
  return (
    <li className={css.item}>
      <div className={css.about}>
        <div className={css.who}>
          {text.name !== '' && <PatientName name={text.name} />}
          <PatientPhone phone={text.phone} />
          <StatusBadge tone={tone} icon={stateIcon}>
            {names[text.state]}
          </StatusBadge>
        </div>
        <p className={css.body}>{text.body}</p>
        <p className={css.note}>
          <OutboxTime text={text} />
          {text.inQuietHours && <> · {t`in quiet hours`}</>}
          {reason !== null && <> · {reason}</>}
        </p>
      </div>
      <div className={css.end}>
        {may('change') && <Button size="s" onClick={onEdit}>{t`Change`}</Button>}
        {may('release') && <Button size="s" busy={move.isPending} onClick={() => act('release')}>{t`Send now`}</Button>}
        {may('retry') && <Button size="s" busy={move.isPending} onClick={() => act('retry')}>{t`Send again`}</Button>}
        {may('cancel') && (
          <Button size="s" busy={move.isPending} onClick={() => act('cancel')}>
            {t`Cancel text`}
          </Button>
        )}
      </div>
    </li>
  );
}
