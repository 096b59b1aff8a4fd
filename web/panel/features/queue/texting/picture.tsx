import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { linkToPicture } from '#contract/conversations/messages.ts';
import type { MissingPicture } from '#contract/queue.ts';
import { ImageIcon } from '#web/icons/image.tsx';
import { call } from '#web/kit/call.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './picture.module.css';

interface PictureProps {
  conversationId: string;
  id: string;
  /** In pixels. */
  size: { width: number; height: number };
  /** Describes it; empty if nobody did. */
  text: string;
  /** Who sent it. */
  who: string;
}

/** The size of a preview: its space is reserved, so that nothing jumps when it loads. */
const previewHeight = 240;

/** A picture of a message: a preview that opens a larger view. */
export function Picture({ conversationId, id, size: { width, height }, text, who }: PictureProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [failed, setFailed] = useState(false);
  const link = usePictureLink(conversationId, id);
  const description = text.trim() === '' ? t`Picture from ${who}` : text;
  if (link.isError || failed)
    return (
      <p className={css.noPicture}>
        <ImageIcon />
        <span>{t`The picture could not be loaded.`}</span>
        <Button
          size="s"
          onClick={() => {
            setFailed(false);
            void link.refetch();
          }}
        >
          {t`Try again`}
        </Button>
      </p>
    );
  if (!link.data) return <Skeleton height={previewHeight} />;
  const shown = Math.min(previewHeight, height);
  const preview = { width: Math.round((width * shown) / height), height: shown };
  const { url } = link.data;
  return (
    <>
      <button
        type="button"
        className={css.picture}
        onClick={() => setOpen(true)}
        aria-label={t`Enlarge: ${description}`}
      >
        <img src={url} alt={description} {...preview} onError={() => setFailed(true)} />
      </button>
      {isOpen && (
        <Dialog title={t`Picture`} size="l" onClose={() => setOpen(false)}>
          <img className={css.large} src={url} alt={description} width={width} height={height} />
        </Dialog>
      )}
    </>
  );
}

/** Says why a message does not show the picture that the patient sent. */
export function MissingPictureNote({ why }: { why: MissingPicture }) {
  const { t } = useLingui();
  const notes: Record<MissingPicture, string> = {
    fetching: t`The patient’s picture will be here in a moment.`,
    'not-a-picture': t`The patient sent a file that is not a picture. It was not accepted.`,
    unreadable: t`The patient sent a picture that cannot be read.`,
    'too-large': t`The patient sent a picture that is too large.`,
    'too-many': t`The patient sent a picture, but there were too many in the last hour.`,
    unavailable: t`The patient sent a picture, but the phone carrier did not deliver it.`,
  };
  return (
    <p className={css.noPicture}>
      <ImageIcon />
      <span>{notes[why]}</span>
    </p>
  );
}

/** The URL of a picture. It works for two minutes; the browser needs it once, and the larger view shows the same one. */
function usePictureLink(id: string, attachmentId: string) {
  return useQuery({
    queryKey: ['picture', id, attachmentId],
    queryFn: ({ signal }) => call(linkToPicture, { params: { id, attachmentId } }, { signal }),
    staleTime: Infinity,
    gcTime: 90_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
