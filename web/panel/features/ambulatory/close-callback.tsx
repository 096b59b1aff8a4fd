import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import { longestCallbackNote, type NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { PatientPhone, useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { LeaveQuestion } from '#web/panel/ui/leave-question.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './ambulatory.module.css';
import { useMoveCallback } from './use-callbacks.ts';
import { useNoteDraft } from './use-note-draft.ts';

/** Closes a callback with a note about the call. */
export function CloseCallback({ callback, onClose }: { callback: NurseCallback; onClose: () => void }) {
  const { t } = useLingui();
  const shownName = useShownName();
  const move = useMoveCallback();
  const [note, setNote] = useNoteDraft(callback.id);
  const [tried, setTried] = useState(false);
  const isEmpty = note.trim() === '';
  const name = shownName(callback.patientName);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isEmpty && !move.isPending)
      move.mutate(
        { callback, move: 'close', note: note.trim() },
        {
          onSuccess: () => {
            setNote('');
            onClose();
          },
        },
      );
  };
  return (
    <Dialog
      title={t`Close ${name}’s callback`}
      onClose={onClose}
      size="s"
      footer={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" form="close-callback" variant="filled" busy={move.isPending}>
            {t`Close callback`}
          </Button>
        </>
      }
    >
      <form id="close-callback" className={css.form} noValidate onSubmit={submit}>
        <p>
          <a href={`tel:${callback.phoneNumber}`}>
            <PatientPhone phone={callback.phoneNumber} />
          </a>
        </p>
        <TextArea
          label={t`What did you agree on?`}
          hint={t`The note stays with the patient.`}
          rows={4}
          required
          maxLength={longestCallbackNote}
          value={note}
          {...(tried && isEmpty && { error: t`Enter a note about the call.` })}
          onChange={(event) => setNote(event.target.value)}
        />
        <ErrorText error={move.error} />
      </form>
      <LeaveQuestion unsaved={!isEmpty} lost={t`The note about the call is not saved.`} onDiscard={() => setNote('')} />
    </Dialog>
  );
}
