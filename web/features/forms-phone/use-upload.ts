import { useEffect, useRef, useState } from 'react';
import type { Attachment } from '#contract/forms/questionnaire.ts';
import { CallError } from '#web/kit/call.ts';
import { useFormAround, type PictureKind } from './form-context.ts';

/** Uploads of one question: how far the one under way is (0 to 1; null: none is), and why the last was refused. */
export function useUpload(kind: PictureKind, onKept: (file: Attachment) => void) {
  const around = useFormAround();
  const [progress, setProgress] = useState<number | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const under = useRef<AbortController>(null);
  const kept = useRef(onKept);
  useEffect(() => {
    kept.current = onKept;
  });

  const start = (picture: Blob | Promise<Blob | null>) => {
    under.current?.abort();
    const over = new AbortController();
    under.current = over;
    setRefused(null);
    setProgress(0);
    const run = async (): Promise<string | null> => {
      let refusal: string | null = null;
      try {
        const blob = await picture;
        const file = blob && (await around.keep(blob, kind, setProgress, over.signal));
        if (over.signal.aborted) return null;
        if (file) kept.current(file);
      } catch (error) {
        if (over.signal.aborted) return null;
        if (!(error instanceof CallError)) throw error;
        setRefused((refusal = error.title));
      }
      if (under.current === over) setProgress(null);
      return refusal;
    };
    around.await(run());
  };
  const stop = () => {
    under.current?.abort();
    setProgress(null);
  };
  return { progress, refused, start, stop };
}
