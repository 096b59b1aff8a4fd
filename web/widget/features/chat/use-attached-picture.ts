import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { pictureMaxBytes } from '#contract/conversations/messages.ts';
import { savedDraftPicture, saveDraftPicture } from './draft.ts';

export const pictureTypes = ['image/png', 'image/jpeg'];

/** The picture of the next message, which must be a PNG or a JPEG of 10 MB at most. */
export function useAttachedPicture(npi: string) {
  const { t } = useLingui();
  const [picture, setPicture] = useState<File | null>(null);
  const [problem, setProblem] = useState<string>();
  const hasChanged = useRef(false);
  useEffect(() => {
    void savedDraftPicture(npi).then((saved) => {
      if (hasChanged.current || saved === null) return;
      if (saved === 'lost') setProblem(t`The picture that was attached is gone. Please attach it again.`);
      else setPicture(saved);
    });
  }, [npi, t]);
  const attach = (file: File | null) => {
    const isWrongType = file !== null && !pictureTypes.includes(file.type);
    const isTooLarge = file !== null && file.size > pictureMaxBytes;
    const fits = isWrongType || isTooLarge ? null : file;
    hasChanged.current = true;
    setPicture(fits);
    saveDraftPicture(npi, fits);
    if (isWrongType) setProblem(t`Only PNG and JPEG pictures can be sent.`);
    else setProblem(isTooLarge ? t`This picture is too large. Send one of 10 MB at most.` : undefined);
  };
  return { picture, attach, problem, setProblem };
}
