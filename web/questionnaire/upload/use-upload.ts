import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useFormEnvironment, type PictureKind } from '#web/questionnaire/form-context.ts';

interface FailedUpload {
  message: string;
  /** Sends the same picture again. Null where the picture itself was refused. */
  retry: (() => void) | null;
}

/** Uploads of one question: how far the one under way is (0 to 1; null: none is), and why the last one failed. */
export function useUpload(kind: PictureKind, onKept: (file: Attachment) => void) {
  const { t } = useLingui();
  const around = useFormEnvironment();
  const [progress, setProgress] = useState<number | null>(null);
  const [failed, setFailed] = useState<FailedUpload | null>(null);
  const under = useRef<AbortController>(null);
  const latestOnKept = useRef(onKept);
  useEffect(() => {
    latestOnKept.current = onKept;
  });

  const start = (picture: Blob | Promise<Blob | null>) => {
    under.current?.abort();
    const over = new AbortController();
    under.current = over;
    setFailed(null);
    setProgress(0);
    const run = async (): Promise<string | null> => {
      let message: string | null = null;
      let blob: Blob | null = null;
      try {
        blob = await picture;
        const file = blob && (await around.storePicture(blob, kind, setProgress, over.signal));
        if (over.signal.aborted) return null;
        if (file) latestOnKept.current(file);
      } catch (error) {
        if (over.signal.aborted) return null;
        message = errorMessage(error, t`No connection. Please try again.`);
        const unsent = isAboutPicture(error) ? null : blob;
        setFailed({ message, retry: unsent && (() => start(unsent)) });
      }
      if (under.current === over) setProgress(null);
      return message;
    };
    around.trackUpload(run());
  };
  const stop = () => {
    under.current?.abort();
    setProgress(null);
    setFailed(null);
  };
  return { progress, failed, start, stop };
}

/** Sent again, this picture would be refused again. */
const isAboutPicture = (error: unknown) =>
  error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 429;
