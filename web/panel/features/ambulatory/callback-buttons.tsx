import { useLingui } from '@lingui/react/macro';
import { mayWithdraw, type NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { useSession } from '#web/kit/session.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import css from './ambulatory.module.css';
import { useMoveCallback } from './use-callbacks.ts';
import { useHasNoteDraft } from './use-note-draft.ts';

interface CallbackButtonsProps {
  callback: NurseCallback;
  onClose: (callback: NurseCallback) => void;
}

/** What a nurse can do with a callback: take it, give it back, take it over from a colleague, close it with a note; or withdraw the office's own. */
export function CallbackButtons({ callback, onClose }: CallbackButtonsProps) {
  const { t } = useLingui();
  const { person } = useSession();
  const shownName = useShownName();
  const { mutate, isPending } = useMoveCallback();
  const hasNote = useHasNoteDraft(callback.id);
  const { state, takenBy } = callback;
  const name = shownName(callback.patientName);
  if (state === 'closed') return null;
  if (state === 'open')
    return (
      <span className={css.buttons}>
        <Button
          size="s"
          variant="filled"
          busy={isPending}
          aria-label={t`Take the callback of ${name}`}
          onClick={() => mutate({ callback, move: 'take' })}
        >
          {t`Take`}
        </Button>
        {mayWithdraw(callback) && (
          <Button
            size="s"
            busy={isPending}
            aria-label={t`Withdraw the callback of ${name}`}
            onClick={() => mutate({ callback, move: 'withdraw' })}
          >
            {t`Withdraw`}
          </Button>
        )}
      </span>
    );
  if (takenBy?.id !== person?.id)
    return (
      <Button
        size="s"
        busy={isPending}
        aria-label={t`Take over the callback of ${name}`}
        onClick={() => mutate({ callback, move: 'takeOver' })}
      >
        {t`Take over`}
      </Button>
    );
  return (
    <span className={css.buttons}>
      <Button
        size="s"
        busy={isPending}
        aria-label={t`Give back the callback of ${name}`}
        onClick={() => mutate({ callback, move: 'release' })}
      >
        {t`Give back`}
      </Button>
      <Button
        size="s"
        variant="filled"
        aria-haspopup="dialog"
        aria-label={t`Close the callback of ${name}`}
        onClick={() => onClose(callback)}
      >
        {t`Close`}
      </Button>
      {hasNote && <span className={css.small}>{t`Note not saved`}</span>}
    </span>
  );
}
