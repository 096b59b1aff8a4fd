import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { linkToChatPicture, type VisitorMessage } from '#contract/website-chat.ts';
import { call, CallError } from '#web/kit/call.ts';
import css from './message-log.module.css';

interface ChatPictureProps {
  picture: NonNullable<VisitorMessage['picture']>;
  /** Describes it; empty if nobody did. */
  text: string;
}

/** A picture of a message. Its URL works for two minutes; the browser needs it once. */
export function ChatPicture({ picture: { id, width, height }, text }: ChatPictureProps) {
  const { t } = useLingui();
  const [tries, setTries] = useState(0);
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    call(linkToChatPicture, { params: { attachmentId: id } }, { signal }).then(
      (link) => setUrl(link.url),
      (error: unknown) => {
        if (signal.aborted) return;
        setFailed(true);
        if (!(error instanceof CallError)) throw error;
      },
    );
    return () => stop.abort();
  }, [id, tries]);
  const tryAgain = () => {
    setFailed(false);
    setUrl(undefined);
    setTries(tries + 1);
  };
  if (failed)
    return (
      <p className={css.actions}>
        {t`The picture could not be loaded.`}
        <button type="button" onClick={tryAgain}>
          {t`Try again`}
        </button>
      </p>
    );
  // The box has the picture's shape before it is there, so that nothing moves.
  return (
    <span className={css.picture} style={{ aspectRatio: `${width} / ${height}` }}>
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

/** A picture on this device that is not sent yet: its file's name if the browser cannot show it. */
export function OwnPicture({ file }: { file: File }) {
  const { t } = useLingui();
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    setFailed(false);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (failed) return <p className={css.text}>{file.name}</p>;
  return (
    <span className={css.picture}>
      {url && <img src={url} alt={t`The picture you are sending`} onError={() => setFailed(true)} />}
    </span>
  );
}
