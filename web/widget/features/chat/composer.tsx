import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ClipboardEvent, type FormEvent, type KeyboardEvent } from 'react';
import { longestMessage, longestPictureText } from '#contract/conversations/messages.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { ImageIcon } from '#web/icons/image.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { useTooLong } from '#web/kit/too-long.ts';
import { OwnPicture } from './chat-picture.tsx';
import { emergencyHintId } from './chat-foot.tsx';
import css from './chat-page.module.css';
import { savedDraft, saveDraft } from './draft.ts';
import { pictureTypes, useAttachedPicture } from './use-attached-picture.ts';

const hasKeyboard = !matchMedia('(pointer: coarse)').matches;

interface ComposerProps {
  npi: string;
  onSend: (body: string, picture: File | null) => void;
  onWriting: () => void;
}

/** The box for a message: text, and a picture by the file picker or by pasting. Enter sends where there is a keyboard. */
export function Composer({ npi, onSend, onWriting }: ComposerProps) {
  const { t } = useLingui();
  const [text, setText] = useState(() => savedDraft(npi));
  const { picture, attach, problem, setProblem } = useAttachedPicture(npi);
  const box = useRef<HTMLTextAreaElement>(null);
  const tooLong = useTooLong(text, longestMessage);
  const isEmpty = text.trim() === '' && picture === null;
  const change = (next: string) => {
    saveDraft(npi, next);
    setText(next);
  };
  useEffect(() => {
    // After "Start chat" was pressed, and with a keyboard that covers nothing.
    if (hasKeyboard) box.current?.focus();
  }, []);

  const send = () => {
    if (isEmpty || tooLong !== undefined) return;
    if (picture && text.trim().length > longestPictureText)
      return setProblem(t`With a picture, a message can have ${longestPictureText} characters.`);
    onSend(text.trim(), picture);
    change('');
    attach(null);
    box.current?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isNewLine = event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard;
    if (event.key !== 'Enter' || isNewLine) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    if (!file) return;
    event.preventDefault();
    attach(file);
  };
  return (
    <form className={css.composer} onSubmit={onSubmit}>
      {picture && (
        <div className={css.attached}>
          <OwnPicture file={picture} />
          <button
            type="button"
            className={css.iconButton}
            aria-label={t`Remove the picture`}
            onClick={() => {
              attach(null);
              box.current?.focus();
            }}
          >
            <CloseIcon />
          </button>
        </div>
      )}
      <div className={css.row}>
        <AttachButton onAttach={attach} />
        <textarea
          ref={box}
          className={css.text}
          rows={1}
          aria-label={t`Your message`}
          aria-describedby={emergencyHintId}
          placeholder={t`Your message`}
          value={text}
          onChange={(event) => {
            change(event.target.value);
            setProblem(undefined);
            if (event.target.value.trim() !== '') onWriting();
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button type="submit" className={css.send} aria-label={t`Send`} disabled={isEmpty}>
          <SendIcon />
        </button>
      </div>
      <div role="alert">
        {(tooLong ?? problem) !== undefined && <p className={css.problem}>{tooLong ?? problem}</p>}
      </div>
    </form>
  );
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
      <button
        type="button"
        className={css.iconButton}
        aria-label={t`Attach a picture`}
        onClick={() => input.current?.click()}
      >
        <ImageIcon />
      </button>
    </>
  );
}
