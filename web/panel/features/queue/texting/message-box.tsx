import { useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { longestMessage, noteWritingToVisit } from '#contract/conversations/messages.ts';
import type { QueueEntry, QuietChoice, QuietNow } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { SnippetPicker } from '#web/panel/features/message-settings/index.ts';
import { TextArea } from '#web/panel/ui/field.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './conversation.module.css';
import { QuietHoursNote, SendButtons } from './quiet-hours.tsx';
import { focusList, messageBoxId } from '#web/panel/features/queue/keys/panel-places.ts';
import type { useMessageDraft } from './use-message.ts';
import { TextSize } from './text-size.tsx';
import { useTooLong } from '#web/kit/too-long.ts';
import { useTellWriting } from './use-writing.ts';

interface MessageBoxProps {
  draft: ReturnType<typeof useMessageDraft>;
  visit: Pick<QueueEntry, 'id' | 'patientName' | 'language' | 'textBlock'>;
  quiet: QuietNow | null;
  onSend: (choice: QuietChoice) => void;
}

/**
 * A message to the patient. Ctrl+Enter sends; Escape leads back to the list and keeps what was typed. Nothing is sent to a number that gets
 * no texts; what was typed stays, because the number may allow texts again.
 */
export function MessageBox({ draft, visit, quiet, onSend }: MessageBoxProps) {
  const { t } = useLingui();
  const tellWriting = useTellWriting(() => call(noteWritingToVisit, { params: { visitId: visit.id } }));
  const empty = draft.text.trim() === '';
  const isBlocked = visit.textBlock !== null;
  const tooLong = useTooLong(draft.text, longestMessage);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return focusList();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!isBlocked) onSend('wait');
  };
  return (
    <div className={css.box} id={messageBoxId}>
      <div className={css.quiet}>
        <QuietHoursNote quiet={quiet} />
      </div>
      <VisuallyHidden role="alert">{draft.error}</VisuallyHidden>
      <TextArea
        label={t`Message to patient`}
        value={draft.text}
        error={tooLong ?? draft.error}
        aria-keyshortcuts="M"
        onChange={(event) => {
          draft.change(event.target.value);
          if (event.target.value.trim() !== '') tellWriting();
        }}
        onKeyDown={onKeyDown}
      />
      <div className={css.send}>
        <span className={css.hint}>
          {t`Ctrl+Enter to send. Texts aren’t secure, so leave out diagnoses and test results.`}
          {!empty && (
            <span className={css.size}>
              <TextSize text={draft.text} />
            </span>
          )}
        </span>
        <SnippetPicker
          patientName={visit.patientName}
          language={visit.language}
          onChoose={(snippet) => {
            draft.change(empty ? snippet : `${draft.text.trimEnd()} ${snippet}`);
            // After the dialog has returned the focus to its button.
            requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${messageBoxId} textarea`)?.focus());
          }}
        />
        <SendButtons quiet={quiet} isEmpty={empty} isBlocked={isBlocked} onSend={onSend} />
      </div>
    </div>
  );
}
