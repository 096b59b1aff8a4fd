import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import css from './pay.module.css';

const firstHeight = 460;
const mostHeight = 900;

/** The payment provider's card form in a frame: card numbers stay there, and only a token for the card comes out. */
export function CardForm({ url, onCard }: { url: string; onCard: (card: string) => void }) {
  const { t } = useLingui();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(firstHeight);
  const hear = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (origin !== new URL(url, location.origin).origin || source !== frame.current?.contentWindow) return;
    const { card, cardFormHeight } = (data ?? {}) as { card?: unknown; cardFormHeight?: unknown };
    if (typeof card === 'string') onCard(card);
    if (typeof cardFormHeight === 'number') setHeight(Math.min(Math.max(cardFormHeight, 200), mostHeight));
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => hear(event);
    addEventListener('message', listen);
    frame.current?.focus();
    return () => removeEventListener('message', listen);
  }, []);
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return <iframe ref={frame} className={css.frame} height={height} title={t`Card form`} src={`${url}#${scheme}`} />;
}
