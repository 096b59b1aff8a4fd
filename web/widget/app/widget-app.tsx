import { useLingui } from '@lingui/react/macro';
import { Component, useCallback, useEffect, useState, type ReactNode } from 'react';
import type { ChatFront, WidgetBoot } from '#contract/website-chat.ts';
import { ChatIcon } from '#web/icons/chat.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { boot } from '#web/kit/boot.ts';
import { firstPaint } from '#web/kit/first-paint.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { isLookLongAgo, noteLook } from '#web/widget/features/chat/last-look.ts';
import { savedToken, saveToken } from '#web/widget/features/chat/saved-token.ts';
import { ConsentPage } from '#web/widget/features/consent/index.ts';
import { isOpen, onWebsite, tellWebsite } from '#web/widget/features/website/index.ts';
import { Frame } from '#web/widget/ui/frame.tsx';
import { Loading } from '#web/widget/ui/loading.tsx';
import { Notice } from '#web/widget/ui/notice.tsx';
import { showOfficeColor } from '#web/widget/ui/office-color.ts';

const npi = /^\/widget\/([^/]+)/.exec(location.pathname)?.[1] ?? '';
const bootData = boot<WidgetBoot>();

/** The chat itself, with its texts: fetched after the first paint, so that the page before consent stays small. */
async function loadChat() {
  const { ChatPage, WhoseChat, fetchFront, forgetPicturesOfClosedTabs, loadMessages, startConversation } =
    await import('#web/widget/features/chat/index.ts');
  await loadMessages();
  return { ChatPage, WhoseChat, fetchFront, forgetPicturesOfClosedTabs, startConversation };
}
type ChatModule = Awaited<ReturnType<typeof loadChat>>;

/** Why there is no chat any more. */
type Ending = 'expired' | 'ending' | 'by-visitor' | 'unreached';

/** `/widget/{npi}`: consent, then the chat. A practice without a chat says so. */
export function WidgetApp() {
  useFocusAndEscape();
  return (
    <ErrorBoundary>
      <Pages />
    </ErrorBoundary>
  );
}

function Pages() {
  const { t } = useLingui();
  const language = useLanguage();
  const { front, chat, isBroken } = useParts();
  const [token, setToken] = useState(() => savedToken(npi));
  const [isAsking, setAsking] = useAskingAfterPause(token);
  const [ending, setEnding] = useState<Ending>();
  const end = useCallback((why?: Ending) => {
    saveToken(npi, null);
    setToken(null);
    setEnding(why);
  }, []);
  // Unless the next chat has begun.
  const showEnding = (outcome: Ending) => setEnding((shown) => shown && outcome);

  const isSomebodyElse = isAsking && token === null;
  const isChatting = token !== null && !isAsking;
  // The button that was pressed is gone.
  useEffect(() => {
    if (ending || isSomebodyElse || isChatting) focusFirst();
  }, [ending, isSomebodyElse, isChatting]);

  const start = async (name: string): Promise<string | null> => {
    try {
      const { startConversation } = await loadChat();
      const started = await startConversation(npi, { language, name });
      if ('problem' in started) return started.problem;
      saveToken(npi, started.token);
      noteLook(npi);
      setAsking(false);
      setEnding(undefined);
      setToken(started.token);
      return null;
    } catch {
      return t`The chat could not be started. Check your connection and try again.`;
    }
  };

  if (front === null) return <NoChat />;
  if (isBroken) return <LoadFailed />;
  if (!front || (token !== null && !chat))
    return (
      <Frame officeName={front?.officeName ?? ''}>
        <Loading />
      </Frame>
    );
  if (token !== null && chat && isAsking) {
    const goOn = () => {
      noteLook(npi);
      setAsking(false);
    };
    return <chat.WhoseChat npi={npi} token={token} officeName={front.officeName} onContinue={goOn} onOther={end} />;
  }
  if (token !== null && chat)
    return <chat.ChatPage key={token} npi={npi} token={token} front={front} onEnd={end} onEnding={showEnding} />;
  const notices: Record<Ending, string> = {
    expired: t`This chat has ended. You can start a new one.`,
    ending: t`Ending the chat…`,
    'by-visitor': t`You ended the chat.`,
    unreached: t`This device no longer shows the chat, but there is no connection: the practice does not know yet that you ended it. Keep this page open; we keep trying.`,
  };
  return <ConsentPage front={front} notice={ending && notices[ending]} onStart={start} />;
}

/** Whether the page asks whose chat it is: nobody has looked at it for half an hour. While somebody looks, it notes so. */
function useAskingAfterPause(token: string | null) {
  const [isAsking, setAsking] = useState(() => token !== null && isLookLongAgo(npi));
  useEffect(() => {
    if (token === null || isAsking) return;
    const look = () => {
      if (document.visibilityState === 'hidden' || !isOpen()) return;
      if (isLookLongAgo(npi)) setAsking(true);
      else noteLook(npi);
    };
    look();
    const timer = setInterval(look, 60_000);
    const stopListening = onWebsite(look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      stopListening();
      document.removeEventListener('visibilitychange', look);
    };
  }, [token, isAsking]);
  return [isAsking, setAsking] as const;
}

/** What the server embedded, else what it answers; and the chat's code. */
function useParts() {
  const [front, setFront] = useState<ChatFront | null | undefined>(bootData.front);
  const [chat, setChat] = useState<ChatModule>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const stopped = new AbortController();
    const load = async () => {
      await firstPaint();
      const loaded = await loadChat();
      setChat(loaded);
      void loaded.forgetPicturesOfClosedTabs(npi);
      // The server embeds nothing for a network that asks too often.
      if (bootData.front === undefined) setFront(await loaded.fetchFront(npi, stopped.signal));
    };
    load().catch(() => !stopped.signal.aborted && setBroken(true));
    return () => stopped.abort();
  }, []);
  useEffect(() => {
    if (!front) return;
    showOfficeColor(front.color);
    document.title = `Chat · ${front.officeName}`;
  }, [front]);
  return { front, chat, isBroken };
}

/** The website around the frame opens and closes it: the focus comes in, and Escape closes. */
function useFocusAndEscape(): void {
  useEffect(() => {
    // The script may have given the frame the focus before this page could listen.
    if (document.hasFocus()) focusFirst();
    const stopListening = onWebsite((message) => message === 'opened' && focusFirst());
    // While an input method composes a word, Escape only takes that back.
    const onKeyDown = ({ key, isComposing }: KeyboardEvent) =>
      key === 'Escape' && !isComposing && tellWebsite({ chat: 'close' });
    addEventListener('keydown', onKeyDown);
    return () => {
      stopListening();
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

/** Where the visitor starts, unless they were somewhere on the page already. A touch screen would open its keyboard over the messages. */
function focusFirst(): void {
  if (document.activeElement !== document.body) return;
  const box = matchMedia('(pointer: coarse)').matches ? null : document.querySelector<HTMLElement>('textarea');
  (box ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

/** The same for a practice that has turned its chat off and for a number that no practice has. */
function NoChat() {
  const { t } = useLingui();
  return (
    <Frame>
      <Notice icon={ChatIcon} title={t`No chat right now`}>
        <p>{t`This practice has no chat on its website right now. Please call instead.`}</p>
        <p>{t`In an emergency, call 911.`}</p>
      </Notice>
    </Frame>
  );
}

/** A part of the page did not load, most often for lack of a network. */
function LoadFailed() {
  const { t } = useLingui();
  useEffect(() => {
    const again = () => location.reload();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  return (
    <Frame>
      <div role="alert">
        <Notice icon={WarningIcon} title={t`The chat did not load`}>
          <p>
            <a href={location.href}>{t`Try again`}</a>
          </p>
        </Notice>
      </div>
    </Frame>
  );
}

/** After a bug on the page: offers to load it again. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    return this.state.broken ? <LoadFailed /> : this.props.children;
  }
}
