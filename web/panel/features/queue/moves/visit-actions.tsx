import { useLingui } from '@lingui/react/macro';
import {
  inviteAgainMove,
  mayMove,
  mayMoveBack,
  type EndReason,
  type OpenedVisit,
  type QueueEntry,
} from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { Time } from '#web/kit/format.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { HistoryIcon } from '#web/icons/history.tsx';
import { RepeatIcon } from '#web/icons/repeat.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { Menu } from '#web/panel/ui/menu.tsx';
import { EndReasons, RemoveVisit } from './end-reasons.tsx';
import { mayInvite } from './may-invite.ts';
import { recentlyInvited, type MakeMove } from './use-move.ts';
import css from './visit-actions.module.css';
import { useEndReasonLabel } from '#web/panel/features/queue/card/visit-status.tsx';

interface VisitActionsProps {
  visit: QueueEntry;
  /** Only today's patients can be called in or moved back. */
  isToday: boolean;
  move: MakeMove;
  /** What the buttons would text; a sample patient gets no texts. */
  texts?: Pick<OpenedVisit['texts'], 'invite' | 'reinvite'> | undefined;
}

/** Buttons for the moves this visit allows. Each has a place of its own, which stays empty while there is no such button. */
export function VisitActions({ visit, isToday, move, texts }: VisitActionsProps) {
  const { t } = useLingui();
  const resting = recentlyInvited.useHeld(visit.id) === true;
  const again = inviteAgainMove(visit.statusCode);
  const mayAgain = isToday && mayMove(visit, again);
  const finishes = mayMove(visit, 'finish');
  const mayRemove = mayMove(visit, 'remove');
  const now = useNow();
  const mayReturn = isToday && mayMoveBack(visit, now);
  // It keeps its place after the invitation too: a second click must not hit another button.
  const showsInvite = isToday && (mayInvite(visit) || (resting && finishes));
  if (!mayAgain && !finishes && !mayRemove && !mayReturn && !showsInvite) return null;
  const willGet = (text: string | undefined) => text && t`The patient gets: ${text}`;
  return (
    <div className={css.actions} role="group" aria-label={t`Next step`}>
      <span className={css.away}>
        {mayRemove && <RemoveVisit onRemove={(reason) => move(visit, 'remove', reason)} />}
        {mayReturn && (
          <Button icon={UndoIcon} onClick={() => move(visit, 'moveBack')}>
            {t`Move back`}
          </Button>
        )}
      </span>
      <span className={css.again}>
        {mayAgain && !resting && (
          <Button icon={RepeatIcon} keyHint="R" title={willGet(texts?.reinvite)} onClick={() => move(visit, again)}>
            {t`Reinvite`}
          </Button>
        )}
      </span>
      <span className={css.finish}>
        {finishes && <MoveToHistory main={!showsInvite} onMove={(reason) => move(visit, 'finish', reason)} />}
      </span>
      {isToday && (showsInvite || finishes) && (
        <span className={css.invite}>
          <Button
            variant="filled"
            icon={SendIcon}
            keyHint="I"
            className={showsInvite ? undefined : css.gone}
            locked={resting || !showsInvite}
            title={willGet(texts?.invite)}
            onClick={() => move(visit, 'invite')}
          >
            {t`Invite Patient`}
          </Button>
          {!showsInvite && visit.invitedAt && (
            <span className={css.invited}>
              {t`Invited`} <Time at={visit.invitedAt} />
            </span>
          )}
        </span>
      )}
    </div>
  );
}

function MoveToHistory({ main, onMove }: { main: boolean; onMove: (reason: EndReason) => void }) {
  const { t } = useLingui();
  const reasons = useEndReasonLabel();
  return (
    <span className={css.split}>
      <Button
        variant={main ? 'filled' : 'default'}
        icon={HistoryIcon}
        keyHint="H"
        title={`${t`Move to History`} · ${reasons.seen}`}
        onClick={() => onMove('seen')}
      >
        {t`Move to History`}
        <span aria-hidden="true" className={css.reason}>
          {reasons.seen}
        </span>
      </Button>
      <Menu
        button={(props) => (
          <IconButton {...props} label={t`Move to History with another reason`} icon={ChevronDownIcon} tip="above" />
        )}
      >
        <EndReasons of="finish" onChoose={onMove} />
      </Menu>
    </span>
  );
}
