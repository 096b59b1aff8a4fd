import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { Frame } from '#web/phone/ui/frame.tsx';

/** A part of the page did not load, most often for lack of a network. Reloads by itself when the phone is online again. */
export function LoadFailed() {
  const { t } = useLingui();
  useEffect(() => {
    const again = () => location.reload();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return (
    <Frame>
      <div role="alert">
        <h1>{t`This page did not load`}</h1>
        <p>
          <a href={location.pathname}>{t`Try again`}</a>
        </p>
      </div>
    </Frame>
  );
}
