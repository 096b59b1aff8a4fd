import { useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { SnippetPicker } from '#web/panel/features/message-settings/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import css from './conversation.module.css';
import type { useMessageDraft } from './use-message.ts';

export const messageBoxId = 'message-to-patient';
const longest = 1600;

interface MessageBoxProps {
  draft: ReturnType<typeof useMessageDraft>;
  visit: Pick<QueueEntry, 'patientName' | 'language'>;
  onSend: () => void;
}

/** A message to the patient. Ctrl+Enter sends. */
export function MessageBox({ draft, visit, onSend }: MessageBoxProps) {
  const { t } = useLingui();
  const empty = draft.text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className={css.box} id={messageBoxId}>
      <VisuallyHidden role="alert">{draft.error}</VisuallyHidden>
      <TextArea
        label={t`Message to patient`}
        value={draft.text}
        error={draft.error}
        maxLength={longest}
        aria-keyshortcuts="M"
        onChange={(event) => draft.change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={css.send}>
        <span className={css.hint}>{t`Ctrl+Enter sends. A text is not secure: no diagnoses.`}</span>
        <SnippetPicker
          patientName={visit.patientName}
          language={visit.language}
          onChoose={(snippet) => {
            draft.change(empty ? snippet : `${draft.text.trimEnd()} ${snippet}`);
            // After the dialog has returned the focus to its button.
            requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${messageBoxId} textarea`)?.focus());
          }}
        />
        <Button variant={empty ? 'default' : 'filled'} icon={SendIcon} locked={empty} onClick={onSend}>
          {t`Send`}
        </Button>
      </div>
    </div>
  );
}
