import { useLingui } from '@lingui/react/macro';
import { useLayoutEffect, useRef, type ComponentProps } from 'react';
import { mayWithdraw, type CallbackMove, type NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { useSession } from '#web/kit/session.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import css from './ambulatory.module.css';
import { useMoveCallback } from './use-callbacks.ts';
import { useHasNoteDraft } from './use-note-draft.ts';

interface CallbackButtonsProps {
  callback: NurseCallback;
  onClose: (callback: NurseCallback) => void;
}

/**
 * What a nurse can do with a callback: take it, put it back, take it over from a colleague, close it with a note; or withdraw the office's own.
 * Each button has a place of its own: a second click on "Take" must not hit another button.
 */
export function CallbackButtons({ callback, onClose }: CallbackButtonsProps) {
  const { t } = useLingui();
  const { person } = useSession();
  const shownName = useShownName();
  const { mutate, isPending } = useMoveCallback();
  const hasNote = useHasNoteDraft(callback.id);
  const group = useFocusOfGroup(callback.state);
  const { state, takenBy } = callback;
  const name = shownName(callback.patientName);
  const isOpen = state === 'open';
  const isMine = state === 'taken' && takenBy?.id === person?.id;
  const isTheirs = state === 'taken' && !isMine;
  if (state === 'closed') return null;
  const press = (move: CallbackMove) => ({ busy: isPending, onClick: () => mutate({ callback, move }) });
  return (
    <span ref={group} className={css.places} role="group" aria-label={t`Callback of ${name}`} tabIndex={-1}>
      <Place
        shown={isOpen}
        className={css.take}
        variant="filled"
        aria-label={t`Take ${name}’s callback`}
        {...press('take')}
      >
        {t`Take`}
      </Place>
      <Place
        shown={mayWithdraw(callback)}
        className={css.withdraw}
        aria-label={t`Withdraw ${name}’s callback`}
        {...press('withdraw')}
      >
        {t`Withdraw`}
      </Place>
      <Place shown={isTheirs} className={css.over} aria-label={t`Take over ${name}’s callback`} {...press('takeOver')}>
        {t`Take over`}
      </Place>
      <Place shown={isMine} className={css.back} aria-label={t`Put back ${name}’s callback`} {...press('release')}>
        {t`Put back`}
      </Place>
      <Place
        shown={isMine}
        className={css.close}
        variant="filled"
        aria-haspopup="dialog"
        aria-label={t`Close ${name}’s callback`}
        onClick={() => onClose(callback)}
      >
        {t`Close`}
      </Place>
      {isMine && hasNote && <span className={classNames(css.note, css.small)}>{t`Note not saved`}</span>}
    </span>
  );
}

interface PlaceProps extends ComponentProps<typeof Button> {
  shown: boolean;
}

/** A button, or the room that it needs. */
const Place = ({ shown, className, ...button }: PlaceProps) => (
  <Button size="s" {...button} className={classNames(className, !shown && css.gone)} />
);

/** The button with the focus goes away with its press; the focus stays with the callback, and on no button that does something else. */
function useFocusOfGroup(state: NurseCallback['state']) {
  const group = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (focused instanceof HTMLButtonElement && group.current?.contains(focused)) {
      if (getComputedStyle(focused).visibility === 'hidden') group.current.focus();
    }
  }, [state]);
  return group;
}
