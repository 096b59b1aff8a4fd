import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useFormEnvironment } from '#web/questionnaire/form-context.ts';
import type { AnswerProps } from '#web/questionnaire/answer-props.ts';
import css from '#web/questionnaire/question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { signaturePad, type SignaturePad } from './signature-pad.ts';
import { UploadFailed } from '#web/questionnaire/upload/upload-failed.tsx';
import { useUpload } from '#web/questionnaire/upload/use-upload.ts';

/** After each stroke the upload waits this long, because another stroke may follow. */
const pauseMs = 900;

/** A signature: drawn with the finger, or the name typed. */
export function SignatureAnswer(props: AnswerProps) {
  const { t } = useLingui();
  const { values, onAnswer } = props;
  const [saved] = values as readonly Attachment[];
  const [isTyped, setIsTyped] = useState(saved !== undefined && saved.url === undefined);
  const [hasChosen, setHasChosen] = useState(false);
  const change = (typed: boolean) => {
    setIsTyped(typed);
    setHasChosen(true);
    onAnswer([]);
  };
  return (
    <div>
      {isTyped ? <TypedSignature {...props} isFocused={hasChosen} /> : <DrawnSignature {...props} />}
      <button type="button" className={buttons.link} onClick={() => change(!isTyped)}>
        {isTyped ? t`Draw it with your finger instead` : t`Type your name instead`}
      </button>
    </div>
  );
}

/** With `isFocused` it was asked for just now, by a button that stands after it. */
function TypedSignature({
  values,
  id,
  describedBy,
  isWrong,
  onAnswer,
  isFocused,
}: AnswerProps & { isFocused: boolean }) {
  const { t } = useLingui();
  const [saved] = values as readonly Attachment[];
  const sign = (title: string) =>
    onAnswer(
      title === ''
        ? []
        : [{ contentType: 'text/plain', title, creation: new Date(serverNow()).toISOString() } satisfies Attachment],
    );
  return (
    <>
      <input
        id={id}
        type="text"
        dir="auto"
        autoFocus={isFocused}
        autoComplete="off"
        autoCapitalize="words"
        className={`${fields.input} ${css.signed}`}
        aria-label={t`Your full name, as your signature`}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        value={saved?.title ?? ''}
        onChange={(event) => sign(event.target.value)}
      />
      <p className={fields.hint}>{t`Typing your full name counts as your signature.`}</p>
    </>
  );
}

function DrawnSignature({ values, id, describedBy, onAnswer }: AnswerProps) {
  const { t } = useLingui();
  const { pictureUrl } = useFormEnvironment();
  const [saved] = values as readonly Attachment[];
  const { canvas, isInked, hasPicture, clear, progress, failed } = usePad(saved, onAnswer);
  return (
    <div>
      <div className={css.pad}>
        {hasPicture && saved ? (
          <img src={pictureUrl(saved)} alt={t`Your signature`} />
        ) : (
          <>
            <canvas
              ref={canvas}
              id={id}
              role="img"
              aria-label={t`Field to sign with your finger`}
              aria-describedby={describedBy}
            />
            {!isInked && <p aria-hidden="true">{t`Sign here with your finger`}</p>}
          </>
        )}
      </div>
      <SavingStatus isSaving={progress !== null} isSaved={saved !== undefined} />
      {failed && <UploadFailed {...failed} />}
      {(hasPicture || isInked) && (
        <button type="button" className={buttons.link} onClick={clear}>
          {t`Sign again`}
        </button>
      )}
    </div>
  );
}

function SavingStatus({ isSaving, isSaved }: { isSaving: boolean; isSaved: boolean }) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const status = () => {
    if (isSaving)
      return lost ? t`No connection. We’ll send your signature when you’re back online.` : t`Saving your signature…`;
    return isSaved ? t`Signature saved.` : '';
  };
  return (
    <p role="status" className={fields.hint}>
      {status()}
    </p>
  );
}

/** The pad to sign on, and the upload of what was signed. */
function usePad(saved: Attachment | undefined, onAnswer: AnswerProps['onAnswer']) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isInked, setIsInked] = useState(false);
  const { progress, failed, start, stop } = useUpload('signature', (file) =>
    onAnswer([{ ...file, creation: new Date(serverNow()).toISOString() }]),
  );
  // A signature that was saved earlier is shown as its picture, and cannot be added to.
  const hasPicture = saved?.url !== undefined && !isInked;
  const upload = useEffectEvent(() => {
    setIsInked(true);
    clearTimeout(pause.current);
    const afterPause = new Promise<void>((resolve) => {
      pause.current = setTimeout(resolve, pauseMs);
    });
    start(afterPause.then(() => pad.current?.picture() ?? null));
  });

  useEffect(() => {
    if (hasPicture || !canvas.current) return;
    pad.current = signaturePad(canvas.current, () => upload());
    return () => pad.current?.stop();
  }, [hasPicture]);

  const clear = () => {
    clearTimeout(pause.current);
    stop();
    pad.current?.clear();
    setIsInked(false);
    onAnswer([]);
  };
  return { canvas, isInked, hasPicture, clear, progress, failed };
}
