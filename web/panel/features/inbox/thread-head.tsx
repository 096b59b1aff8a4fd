import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import type { Thread } from '#contract/conversations/inbox.ts';
import { goesByText } from '#contract/conversations/shapes.ts';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { useSession } from '#web/kit/session.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { PatientPhone } from '#web/panel/features/queue/index.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Menu, MenuItem } from '#web/panel/ui/menu.tsx';
import { ChannelName } from './channel-name.tsx';
import css from './inbox.module.css';
import { isVisitor, PersonName, VisitorTag } from './person-name.tsx';
import type { useChangeConversation } from './use-inbox.ts';

interface ThreadHeadProps {
  thread: Thread;
  onBack: () => void;
  changes: ReturnType<typeof useChangeConversation>;
}

/** Who a conversation is with, whether they are there, and what a desk can do with it. */
export function ThreadHead({ thread, onBack, changes }: ThreadHeadProps) {
  const { t } = useLingui();
  const { conversation, visitor } = thread;
  return (
    <header className={css.head}>
      <div className={css.back}>
        <IconButton label={t`Back to all conversations`} icon={ArrowLeftIcon} variant="subtle" onClick={onBack} />
      </div>
      <div className={css.who}>
        <h2>
          <PersonName conversation={conversation} />
          <VisitorTag conversation={conversation} />
        </h2>
        <Facts thread={thread} />
        {conversation.channel !== 'text' && (
          <p className={css.facts}>
            <LastSeen visitor={visitor} />
          </p>
        )}
      </div>
      <Actions thread={thread} changes={changes} />
    </header>
  );
}

/** The number, the channel, and whose work it is. */
function Facts({ thread: { conversation, visitor } }: Pick<ThreadHeadProps, 'thread'>) {
  const { t } = useLingui();
  const { person } = useSession();
  const { channel, phone, properties, assignee } = conversation;
  // Without a name the number is the heading.
  const shownPhone = properties.patientName === '' ? null : phone;
  const isMine = assignee?.id === person?.id;
  const facts = [
    shownPhone !== null && <PatientPhone key="phone" phone={shownPhone} />,
    channel !== 'text' && !isVisitor(conversation) && <ChannelName key="channel" channel={channel} />,
    visitor?.phone && (
      <Trans key="verified">
        Verified number <PatientPhone phone={visitor.phone} />
      </Trans>
    ),
    assignee && (isMine ? t`Assigned to you` : <Trans key="assignee">Assigned to {assignee.name}</Trans>),
  ].filter(Boolean);
  return (
    <p className={css.facts}>
      {facts.map((fact, i) => (
        <Fragment key={i}>
          {i > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
    </p>
  );
}

function Actions({ thread: { conversation, visitor }, changes }: Pick<ThreadHeadProps, 'thread' | 'changes'>) {
  const { t } = useLingui();
  const { person } = useSession();
  const { pk, assignee, state } = conversation;
  const isMine = assignee?.id === person?.id;
  return (
    <div className={css.actions}>
      <Button size="s" busy={changes.isPending} onClick={() => changes.change(pk, isMine ? 'unassign' : 'assign')}>
        {isMine ? t`Unassign` : t`Assign to me`}
      </Button>
      {state === 'open' ? (
        <Button size="s" icon={CheckIcon} keyHint="E" onClick={() => changes.change(pk, 'close')}>
          {t`Close conversation`}
        </Button>
      ) : (
        <Button size="s" icon={UndoIcon} onClick={() => changes.change(pk, 'reopen')}>
          {state === 'held' ? t`Not advertising` : t`Reopen`}
        </Button>
      )}
      {visitor && (
        <Menu button={(props) => <IconButton {...props} size="s" label={t`More`} icon={MoreIcon} tip="below-end" />}>
          {visitor.blocked ? (
            <MenuItem icon={UndoIcon} onSelect={() => changes.change(pk, 'unblock')}>
              {t`Unblock this visitor`}
            </MenuItem>
          ) : (
            <MenuItem icon={CloseCircleIcon} onSelect={() => changes.change(pk, 'block')}>
              {t`Block this visitor`}
            </MenuItem>
          )}
        </Menu>
      )}
    </div>
  );
}

/** When the person was last there. Only a chat is called secure: an answer that goes by text is not. */
function LastSeen({ visitor }: Pick<Thread, 'visitor'>) {
  if (visitor === null) return <Trans>Secure Encrypted Chat</Trans>;
  const { lastSeen } = visitor;
  if (lastSeen === null) return <Trans>Last Seen now - Secure Encrypted Chat</Trans>;
  if (goesByText(visitor))
    return (
      <Trans>
        Last Seen <OfficeMoment at={lastSeen} /> - answers go by text, which is not secure
      </Trans>
    );
  return (
    <Trans>
      Last Seen <OfficeMoment at={lastSeen} /> - Secure Encrypted Chat
    </Trans>
  );
}
