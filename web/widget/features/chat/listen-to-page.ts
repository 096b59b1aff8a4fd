import { onWebsite } from '#web/widget/features/website/index.ts';

interface PageHandlers {
  /** The page is closed or left. */
  onLeave: () => void;
  /** The browser shows a page again that the visitor had left. */
  onBack: () => void;
  /** The visitor opened the chat on the website. */
  onOpened: () => void;
}

export function listenToPage({ onLeave, onBack, onOpened }: PageHandlers): () => void {
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && onBack();
  addEventListener('pagehide', onLeave);
  addEventListener('pageshow', onShow);
  const stopListening = onWebsite((message) => message === 'opened' && onOpened());
  return () => {
    removeEventListener('pagehide', onLeave);
    removeEventListener('pageshow', onShow);
    stopListening();
  };
}
