import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './pay.module.css';

const firstHeight = 460;
const mostHeight = 900;
/** The form's script tells its height as soon as it runs. Without it nothing in the form can be pressed. */
const longestWaitMs = 10_000;

/** The payment provider's card form in a frame: card numbers stay there, and only a token for the card comes out. */
export function CardForm({ url, onCard }: { url: string; onCard: (card: string) => void }) {
  const { t } = useLingui();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(firstHeight);
  const { isLate, onMessage, again, page } = useLoading(frame);
  const hear = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (origin !== new URL(url, location.origin).origin || source !== frame.current?.contentWindow) return;
    const { card, cardFormHeight } = (data ?? {}) as { card?: unknown; cardFormHeight?: unknown };
    if (typeof card === 'string') onCard(card);
    if (typeof cardFormHeight !== 'number') return;
    onMessage();
    setHeight(Math.min(Math.max(cardFormHeight, 200), mostHeight));
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => hear(event);
    addEventListener('message', listen);
    frame.current?.focus();
    return () => removeEventListener('message', listen);
  }, []);
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return (
    <>
      {isLate && (
        <>
          <ErrorMessage>{t`The card form did not load completely. Nothing was charged.`}</ErrorMessage>
          <button type="button" className={buttons.plain} onClick={again}>
            {t`Try again`}
          </button>
        </>
      )}
      <iframe
        key={page}
        ref={frame}
        className={css.frame}
        height={height}
        title={t`Card form`}
        src={`${url}#${scheme}`}
      />
    </>
  );
}

/** Whether the form's script is late, and what loads it again: only the script if the form is there, because the patient may have typed in it. */
function useLoading(frame: RefObject<HTMLIFrameElement | null>) {
  const [tries, setTries] = useState(1);
  const [isLate, setLate] = useState(false);
  const [isHeard, setHeard] = useState(false);
  const [page, setPage] = useState(1);
  useEffect(() => {
    if (isHeard) return;
    const late = setTimeout(() => setLate(true), longestWaitMs);
    return () => clearTimeout(late);
  }, [isHeard, tries]);
  const again = () => {
    setLate(false);
    setTries(tries + 1);
    if (!loadScriptAgain(frame.current, tries)) setPage(page + 1);
  };
  const onMessage = () => {
    setHeard(true);
    setLate(false);
  };
  return { isLate, onMessage, again, page };
}

/** False if the frame does not show the form: then its page did not load either. */
function loadScriptAgain(frame: HTMLIFrameElement | null, tries: number): boolean {
  const form = frame?.contentDocument;
  const old = form?.querySelector<HTMLScriptElement>('script[type="module"]');
  if (!form || !old) return false;
  const script = form.createElement('script');
  script.type = 'module';
  // A browser does not ask again for a module that it could not load.
  script.src = `${old.src.replace(/\?.*/, '')}?again=${tries}`;
  form.body.append(script);
  return true;
}
