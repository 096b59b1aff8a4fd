import { useLingui } from '@lingui/react/macro';
import { inviteAgainMove, mayMove, type EndReason, type QueueEntry } from '#contract/queue.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { HistoryIcon } from '#web/icons/history.tsx';
import { RepeatIcon } from '#web/icons/repeat.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { Menu } from '#web/panel/ui/menu.tsx';
import { EndReasons, RemoveVisit } from './end-reasons.tsx';
import { recentlyInvited, type MakeMove } from './use-move.ts';
import css from './visit-actions.module.css';

interface VisitActionsProps {
  visit: QueueEntry;
  /** Only today's patients can be called in or moved back. */
  isToday: boolean;
  move: MakeMove;
}

/** Staff may invite only waiting patients, and only where auto-invite does not do it. */
export function mayInvite(visit: QueueEntry): boolean {
  return mayMove(visit, 'invite') && visit.autoInviteAt === null;
}

/** Buttons for the moves this visit allows. */
export function VisitActions({ visit, isToday, move }: VisitActionsProps) {
  const { t } = useLingui();
  const resting = recentlyInvited.useHeld(visit.id) === true;
  const again = inviteAgainMove(visit.statusCode);
  const mayAgain = isToday && mayMove(visit, again);
  const finishes = mayMove(visit, 'finish');
  const mayRemove = mayMove(visit, 'remove');
  const mayMoveBack = isToday && mayMove(visit, 'moveBack');
  // Disabled, not removed: a second click must not hit the button beside it.
  const showsInvite = isToday && (mayInvite(visit) || (resting && finishes));
  if (!mayAgain && !finishes && !mayRemove && !mayMoveBack && !showsInvite) return null;
  return (
    <div className={css.actions} role="group" aria-label={t`Next step`}>
      {mayRemove && <RemoveVisit onRemove={(reason) => move(visit, 'remove', reason)} />}
      {mayMoveBack && (
        <Button icon={UndoIcon} onClick={() => move(visit, 'moveBack')}>
          {t`Move back`}
        </Button>
      )}
      {mayAgain && !resting && (
        <Button icon={RepeatIcon} keyHint="R" onClick={() => move(visit, again)}>
          {t`Reinvite`}
        </Button>
      )}
      {finishes && <MoveToHistory main={!showsInvite} onMove={(reason) => move(visit, 'finish', reason)} />}
      {showsInvite && (
        <Button variant="filled" icon={SendIcon} keyHint="I" locked={resting} onClick={() => move(visit, 'invite')}>
          {t`Invite Patient`}
        </Button>
      )}
    </div>
  );
}

function MoveToHistory({ main, onMove }: { main: boolean; onMove: (reason: EndReason) => void }) {
  const { t } = useLingui();
  return (
    <span className={css.split}>
      <Button variant={main ? 'filled' : 'default'} icon={HistoryIcon} keyHint="H" onClick={() => onMove('seen')}>
        {t`Move to History`}
      </Button>
      <Menu
        button={(props) => (
          <IconButton {...props} label={t`Move to History with another reason`} icon={ChevronDownIcon} tip="above" />
        )}
      >
        <EndReasons onChoose={onMove} />
      </Menu>
    </span>
  );
}
