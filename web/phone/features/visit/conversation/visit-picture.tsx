import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { linkToVisitPicture } from '#contract/patient/messages.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { call, CallError } from '#web/kit/call.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import css from './visit-picture.module.css';

type Message = PatientVisit['messages'][number];

interface VisitPictureProps {
  token: string;
  picture: NonNullable<Message['picture']>;
  /** Describes it; empty if nobody did. */
  text: string;
}

/** A picture of a message. Its URL works for two minutes; the browser needs it once. */
export function VisitPicture({ token, picture: { id, width, height }, text }: VisitPictureProps) {
  const { t } = useLingui();
  const [tries, setTries] = useState(0);
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    call(linkToVisitPicture, { params: { token, attachmentId: id } }, { signal }).then(
      (link) => setUrl(link.url),
      (error: unknown) => {
        if (!signal.aborted) setFailed(true);
        if (!(error instanceof CallError) && !signal.aborted) throw error;
      },
    );
    return () => stop.abort();
  }, [token, id, tries]);
  if (failed)
    return (
      <>
        <ErrorMessage>{t`The picture could not be loaded.`}</ErrorMessage>
        <button
          type="button"
          className={buttons.link}
          onClick={() => {
            setFailed(false);
            setUrl(undefined);
            setTries(tries + 1);
          }}
        >
          {t`Try again`}
        </button>
      </>
    );
  return (
    <span className={css.picture}>
      {url && (
        <img
          src={url}
          alt={text.trim() === '' ? t`Picture` : text}
          width={width}
          height={height}
          onError={() => setFailed(true)}
        />
      )}
    </span>
  );
}
