import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
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

/** A name may go on with another stroke for so long. */
const restMs = 900;

/** A signature: drawn with the finger, or the name typed. */
export function SignatureAnswer(props: AnswerProps) {
  const { t } = useLingui();
  const { values, onAnswer } = props;
  const [given] = values as readonly Attachment[];
  const [isTyped, setIsTyped] = useState(given !== undefined && given.url === undefined);
  const change = (typed: boolean) => {
    setIsTyped(typed);
    onAnswer([]);
  };
  return (
    <div>
      {isTyped ? <Typed {...props} /> : <Drawn {...props} />}
      <button type="button" className={buttons.link} onClick={() => change(!isTyped)}>
        {isTyped ? t`Draw it with your finger instead` : t`Type your name instead`}
      </button>
    </div>
  );
}

function Typed({ values, id, describedBy, isWrong, onAnswer }: AnswerProps) {
  const { t } = useLingui();
  const [given] = values as readonly Attachment[];
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
        autoComplete="off"
        autoCapitalize="words"
        className={`${fields.input} ${css.signed}`}
        aria-label={t`Your full name, as your signature`}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        value={given?.title ?? ''}
        onChange={(event) => sign(event.target.value)}
      />
      <p className={fields.hint}>{t`Typing your full name counts as your signature.`}</p>
    </>
  );
}

function Drawn({ values, id, describedBy, onAnswer }: AnswerProps) {
  const { t } = useLingui();
  const { pictureUrl } = useFormEnvironment();
  const { lost } = useConnection();
  const [given] = values as readonly Attachment[];
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isInked, setIsInked] = useState(false);
  const { progress, failed, start, stop } = useUpload('signature', (file) =>
    onAnswer([{ ...file, creation: new Date(serverNow()).toISOString() }]),
  );
  // A signature that was kept earlier is shown as the picture it is; to sign again is to begin anew.
  const isKept = given?.url !== undefined && !isInked;
  const keep = useRef(() => undefined as void);
  useEffect(() => {
    keep.current = () => {
      setIsInked(true);
      clearTimeout(rest.current);
      const later = new Promise<void>((resolve) => {
        rest.current = setTimeout(resolve, restMs);
      });
      start(later.then(() => pad.current?.picture() ?? null));
    };
  });

  useEffect(() => {
    if (isKept || !canvas.current) return;
    pad.current = signaturePad(canvas.current, () => keep.current());
    return () => pad.current?.stop();
  }, [isKept]);

  const again = () => {
    clearTimeout(rest.current);
    stop();
    pad.current?.clear();
    setIsInked(false);
    onAnswer([]);
  };
  return (
    <div>
      {isKept ? (
        <div className={css.pad}>
          <img src={pictureUrl(given)} alt={t`Your signature`} />
        </div>
      ) : (
        <div className={css.pad}>
          <canvas
            ref={canvas}
            id={id}
            role="img"
            aria-label={t`Field to sign with your finger`}
            aria-describedby={describedBy}
          />
          {!isInked && <p aria-hidden="true">{t`Sign here with your finger`}</p>}
        </div>
      )}
      <p role="status" className={fields.hint}>
        {progress !== null && lost
          ? t`No connection. The signature is sent as soon as there is one.`
          : progress !== null
            ? t`Saving your signature…`
            : given
              ? t`Your signature is kept.`
              : ''}
      </p>
      {failed && <UploadFailed {...failed} />}
      {(isKept || isInked) && (
        <button type="button" className={buttons.link} onClick={again}>
          {t`Sign again`}
        </button>
      )}
    </div>
  );
}
