import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CardPageMessage } from '#contract/membership.ts';
import { useScheme } from '#web/kit/color-scheme.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './membership.module.css';
import { useSaveCard, type MembershipData } from './use-membership.ts';

interface CardFormProps {
  membership: MembershipData;
  cardPage: string;
  onSaved: () => void;
  /** Null without a card on file: there is nothing to go back to. */
  onCancel: (() => void) | null;
}

/** The cardholder's name here; number, date and CVC on the card provider's page in a frame, which sends a token for them. */
export function CardForm({ membership, cardPage, onSaved, onCancel }: CardFormProps) {
  const { t } = useLingui();
  const save = useSaveCard(membership.customer, onSaved);
  const frame = useRef<HTMLIFrameElement>(null);
  const [name, setName] = useState('');
  const [isNameMissing, setNameMissing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isRefused, setRefused] = useState(false);

  const askFrame = () => frame.current?.contentWindow?.postMessage({ card: 'tokenize' }, location.origin);
  const giveUp = () => {
    setAsking(false);
    setRefused(true);
  };
  const { isReady, waitForFrame, frameIsReady } = useFrameReady(askFrame, giveUp);
  const submit = () => {
    save.reset();
    setRefused(false);
    setNameMissing(name.trim() === '');
    setAsking(true);
    if (isReady()) askFrame();
    else waitForFrame();
  };
  const hear = (message: CardPageMessage) => {
    if (message.kind === 'ready') frameIsReady();
    if (message.kind === 'submit') submit();
    if (message.kind === 'wrong' || message.kind === 'refused' || message.kind === 'token') setAsking(false);
    if (message.kind === 'refused') setRefused(true);
    if (message.kind !== 'token') return;
    if (name.trim() !== '') save.mutate({ token: message.token, name: name.trim() });
  };

  return (
    <form
      className={css.card}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={css.holder}>
        <TextInput
          label={t`Cardholder Name`}
          autoComplete="cc-name"
          maxLength={120}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setNameMissing(false);
          }}
          error={isNameMissing ? t`Field cannot be empty` : undefined}
        />
      </div>
      <CardFrame frame={frame} page={cardPage} onMessage={hear} />
      {isRefused && (
        <p role="alert" className={css.problem}>
          {t`We couldn't verify your payment method. Please try again or contact support.`}
        </p>
      )}
      <ErrorText error={save.error} />
      <div className={css.buttons}>
        <Button variant="filled" type="submit" busy={isAsking || save.isPending}>
          {t`Save Changes`}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t`Cancel`}</Button>}
      </div>
    </form>
  );
}

/** The frame's page may load slowly, or never: the provider's script can be blocked or away. */
const longestWaitMs = 10_000;

/** Calls `ready` once the frame's page answers, or `late` if it does not within ten seconds. */
function useFrameReady(ready: () => void, late: () => void) {
  const isReady = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isReady: () => isReady.current,
    waitForFrame: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        late();
      }, longestWaitMs);
    },
    frameIsReady: () => {
      isReady.current = true;
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      ready();
    },
  };
}

interface CardFrameProps {
  frame: React.RefObject<HTMLIFrameElement | null>;
  page: string;
  onMessage: (message: CardPageMessage) => void;
}

/** The card provider's page, as high as its content. */
function CardFrame({ frame, page, onMessage }: CardFrameProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const scheme = useScheme();
  const [height, setHeight] = useState(190);
  const hear = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (origin !== location.origin || source !== frame.current?.contentWindow) return;
    const message = (data as { card?: CardPageMessage } | null)?.card;
    if (!message) return;
    if (message.kind === 'height') setHeight(Math.min(Math.max(message.height, 100), 800));
    else onMessage(message);
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => hear(event);
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
  return (
    <iframe
      ref={frame}
      className={css.frame}
      style={{ height }}
      title={t`Card details`}
      src={`${page}?language=${language}#${scheme}`}
    />
  );
}
