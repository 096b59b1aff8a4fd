import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import type { SigningLink } from '#contract/agreement.ts';
import { stayActive } from '#contract/sign-in/session.ts';
import { call } from '#web/kit/call.ts';
import { useScheme } from '#web/kit/color-scheme.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './signing.module.css';

const DropboxFrame = lazy(() => import('./dropbox-frame.tsx').then((frame) => ({ default: frame.DropboxFrame })));

interface SigningFrameProps {
  link: SigningLink & { url: string };
  /** Something happened in the frame; the server knows what. */
  onEvent: () => void;
  /** The provider reports that this signing cannot continue. */
  onError: () => void;
  onClose: () => void;
}

/** The provider's signing page in a frame, with a back button above it. */
export function SigningFrame({ link, onEvent, onError, onClose }: SigningFrameProps) {
  const { t } = useLingui();
  const { client } = link;
  return (
    <section className={css.signing} aria-label={t`Signing`}>
      <Button icon={ArrowLeftIcon} onClick={onClose}>
        {t`Back`}
      </Button>
      {client.kind === 'page' ? (
        <PageFrame url={link.url} onEvent={onEvent} />
      ) : (
        <Suspense fallback={<Skeleton height={480} />}>
          <DropboxFrame url={link.url} client={client} onEvent={onEvent} onError={onError} onClose={onClose} />
        </Suspense>
      )}
    </section>
  );
}

/** A page of this server. It posts what happens inside, and that somebody is reading, so that the panel does not lock. */
function PageFrame({ url, onEvent }: { url: string; onEvent: () => void }) {
  const { t } = useLingui();
  const scheme = useScheme();
  const frame = useRef<HTMLIFrameElement>(null);
  const hear = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (origin !== location.origin || source !== frame.current?.contentWindow) return;
    const message = (data as { signing?: unknown } | null)?.signing;
    if (message === 'active') void call(stayActive, { body: {} }).catch(() => undefined);
    else if (typeof message === 'string') onEvent();
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => hear(event);
    addEventListener('message', listen);
    frame.current?.focus();
    return () => removeEventListener('message', listen);
  }, []);
  return (
    <iframe ref={frame} className={css.frame} title={t`The agreement, to read and sign`} src={`${url}#${scheme}`} />
  );
}
