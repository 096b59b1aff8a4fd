import { useId, useState } from 'react';
import { Minutes, Money, Phone, PlainDate, Time } from '#web/kit/format.tsx';
import { Avatar } from '#web/panel/ui/avatar.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HandIcon } from '#web/icons/hand.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { WalkIcon } from '#web/icons/walk.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import { Chip, StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { Steps } from '#web/panel/ui/steps.tsx';
import { Tabs } from '#web/panel/ui/tabs.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './gallery.module.css';

const aTime = '2026-03-02T13:14:00Z';

export function BadgesGallery() {
  const panelId = useId();
  const [tab, setTab] = useState<'checkin' | 'history'>('checkin');
  return (
    <div className={css.stack}>
      <div className={css.row}>
        <StatusBadge tone="amber" icon={ClockIcon}>
          Waiting
        </StatusBadge>
        <StatusBadge tone="blue" icon={SendIcon}>
          Invited
        </StatusBadge>
        <StatusBadge tone="green" icon={WalkIcon}>
          On the way
        </StatusBadge>
        <StatusBadge tone="gray" icon={CheckIcon}>
          Done
        </StatusBadge>
        <StatusBadge tone="red" icon={CloseCircleIcon}>
          Canceled
        </StatusBadge>
        <StatusBadge tone="violet" icon={HandIcon}>
          Still waiting?
        </StatusBadge>
        <Chip icon={CardIcon}>Payment Done</Chip>
      </div>
      <div className={css.row}>
        <Avatar name="Grace Castellanos-Whitfield" size={48} />
        <Avatar name="Ñandú" />
        <Avatar name="王 小明" />
        <Phone value="+12125550101" />
        <Time at={aTime} />
        <Minutes value={88} />
        <Minutes value={125} />
        <PlainDate value="2019-03-02" />
        <Money cents={123450} />
        <Spinner />
      </div>
      <div className={css.panel}>
        <Steps
          label="Steps"
          at={1}
          steps={[
            { title: 'Office details', says: 'Who you are' },
            { title: 'HIPAA signing', says: 'Signed online' },
            { title: 'Done' },
          ]}
        />
      </div>
      <ErrorText error={new Error('sample')} />
      <Tabs
        label="Queue"
        panelId={panelId}
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'checkin', label: 'Checkin', count: 9 },
          { id: 'history', label: 'History', count: 5 },
        ]}
      />
      <div id={panelId} role="tabpanel" aria-label={tab}>
        {tab}
      </div>
      <Banner>Local stand-ins carry texts and email.</Banner>
      <Banner tone="amber" onClose={() => undefined}>
        Your trial ends in 3 days.
      </Banner>
      <Banner tone="red" action={<Button size="s">Fix Issue</Button>}>
        Connection lost.
      </Banner>
      <Skeleton width="60%" />
      <Skeleton height={40} />
      <EmptyState icon={InboxIcon} title="You don't have any patients waiting yet.">
        They appear here as soon as they check in.
      </EmptyState>
      <EmptyState icon={SearchIcon} title="No one by that name" action={<Button>Clear search</Button>} />
    </div>
  );
}
