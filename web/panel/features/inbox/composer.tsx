import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { goesByText, type Conversation, type ThreadVisitor } from '#contract/conversations/shapes.ts';
import type { QuietChoice, QuietNow } from '#contract/queue.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { ImageIcon } from '#web/icons/image.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { SnippetPicker } from '#web/panel/features/message-settings/index.ts';
import {
  QuietHoursNote,
  SendButtons,
  textErrorAdvice,
  TextSize,
  useWriter,
  WritingNote,
  type NewestMessage,
} from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import css from './composer.module.css';
import { pictureTypes, useReply } from './use-reply.ts';

export const replyBoxId = 'reply-to-patient';

interface ComposerProps {
  conversation: Conversation;
  newest: NewestMessage | undefined;
  quiet: QuietNow | null;
  visitor: ThreadVisitor | null;
  onUnblock: () => void;
}

/** The box for an answer: text, or a picture by the file picker, by pasting or by dropping. */
export function Composer({ conversation, newest, quiet, visitor, onUnblock }: ComposerProps) {
  const { t } = useLingui();
  const reply = useReply(conversation.pk);
  const writer = useWriter({ conversationId: conversation.pk, newest });
  const drop = usePictureDrop(reply.attach);
  const block = conversation.textBlock;
  if (block)
    return (
      <div className={css.reply}>
        <Banner tone="amber" icon={LockIcon}>
          {textErrorAdvice({ problem: block, limitedUntil: null })}
        </Banner>
      </div>
    );
  if (visitor?.blocked)
    return (
      <div className={css.reply}>
        <Banner tone="amber" icon={LockIcon} action={<Button size="s" onClick={onUnblock}>{t`Unblock`}</Button>}>
          {t`Your practice has blocked this visitor: they cannot write in this chat, and get no answers.`}
        </Banner>
      </div>
    );
  const isText = conversation.channel === 'text';
  const byText = goesByText(visitor);
  const waitsForVisitor = !byText && visitor !== null && visitor.lastSeen !== null && visitor.textBlock !== null;
  const send = (quietHours: QuietChoice) =>
    reply.send({ quietHours, ...(visitor && { way: byText ? 'text' : 'chat' }) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send('wait');
  };
  const onPaste = (event: ClipboardEvent) => {
    const file = pictureOf(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    reply.attach(file);
  };
  const addSnippet = (snippet: string) => {
    reply.change(reply.text.trim() === '' ? snippet : `${reply.text.trimEnd()} ${snippet}`);
    // After the dialog has returned the focus to its button.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${replyBoxId} textarea`)?.focus());
  };
  return (
    <div className={css.reply} id={replyBoxId} data-over={drop.isOver || undefined} {...drop.handlers}>
      <WritingNote writer={writer} />
      <div className={css.quiet}>
        <QuietHoursNote quiet={quiet} />
      </div>
      <TextArea
        label={t`Send a message`}
        value={reply.text}
        error={reply.error}
        aria-keyshortcuts="R"
        onChange={(event) => reply.change(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {reply.picture && (
        <AttachedPicture
          file={reply.picture}
          progress={reply.progress}
          note={isText || byText ? t`The patient gets a text with a link to this picture.` : undefined}
          onRemove={() => reply.attach(null)}
        />
      )}
      <div className={css.send}>
        <AttachButton onAttach={reply.attach} />
        <SnippetPicker
          patientName={conversation.properties.patientName}
          {...(conversation.language && { language: conversation.language })}
          onChoose={addSnippet}
        />
        <span className={css.hint}>
          {isText && t`Ctrl+Enter to send. Texts aren’t secure, so leave out diagnoses and test results.`}
          {waitsForVisitor &&
            t`The visitor has left and their number gets no texts: they see your answer when they come back.`}
          {byText && t`The visitor has left: your answer goes to their phone by text, which is not secure.`}
          {!isText && !byText && !waitsForVisitor && t`Secure Encrypted Chat`}
          {(isText || byText) && reply.text.trim() !== '' && (
            <span className={css.size}>
              <TextSize text={reply.text} />
            </span>
          )}
        </span>
        <SendButtons quiet={quiet} isEmpty={reply.isEmpty} busy={reply.isSending} onSend={send} />
      </div>
    </div>
  );
}

/** The first file among what was pasted or dropped; undefined if there is none. */
const pictureOf = (data: DataTransfer): File | undefined => data.files[0];

/** Takes a picture that is dragged into an element. */
function usePictureDrop(attach: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      const file = pictureOf(event.dataTransfer);
      if (!file) return;
      event.preventDefault();
      setOver(false);
      attach(file);
    },
  };
  return { isOver, handlers };
}

function AttachButton({ onAttach }: { onAttach: (file: File) => void }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept={pictureTypes.join(',')}
        aria-label={t`Picture`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again after it was removed.
          event.target.value = '';
          if (file) onAttach(file);
        }}
      />
      <IconButton
        label={t`Attach a picture`}
        icon={ImageIcon}
        variant="subtle"
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface AttachedPictureProps {
  file: File;
  progress: number | undefined;
  note: string | undefined;
  onRemove: () => void;
}

function AttachedPicture({ file, progress, note, onRemove }: AttachedPictureProps) {
  const { t } = useLingui();
  const url = useObjectUrl(file);
  const percent = Math.round((progress ?? 0) * 100);
  return (
    <div className={css.attached}>
      {url && <img src={url} alt={t`The picture you are sending`} />}
      <div className={css.file}>
        <span>{file.name}</span>
        {note && <span className={css.hint}>{note}</span>}
        <span role="status">{progress !== undefined && t`Uploading: ${percent}%`}</span>
      </div>
      <IconButton label={t`Remove the picture`} icon={CloseIcon} variant="subtle" onClick={onRemove} />
    </div>
  );
}

/** A URL of a file in this browser, for as long as it is shown. */
function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
