import HelloSign from 'hellosign-embedded';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { SigningClient } from '#contract/agreement.ts';
import css from './signing.module.css';

interface DropboxFrameProps {
  url: string;
  client: Extract<SigningClient, { kind: 'dropbox-sign' }>;
  onEvent: () => void;
  /** The provider reports that this signing cannot continue. */
  onError: () => void;
  onClose: () => void;
}

/** Dropbox Sign's embedded client: its links open nowhere else. Its events are hints; the server checks. */
export function DropboxFrame({ url, client, onEvent, onError, onClose }: DropboxFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const happened = useEffectEvent(onEvent);
  const failed = useEffectEvent(onError);
  const closed = useEffectEvent(onClose);
  const { clientId, skipDomainVerification } = client;
  useEffect(() => {
    if (!place.current) return undefined;
    const embedded = new HelloSign({ clientId });
    for (const event of ['sign', 'decline', 'finish'] as const) embedded.on(event, () => happened());
    embedded.on('error', () => failed());
    embedded.on('close', () => closed());
    embedded.open(url, { container: place.current, skipDomainVerification, allowCancel: false });
    return () => {
      embedded.off('close');
      embedded.close();
    };
  }, [url, clientId, skipDomainVerification]);
  return <div ref={place} className={css.embedded} />;
}
