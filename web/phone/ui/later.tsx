import { useLingui } from '@lingui/react/macro';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/**
 * A part of a page whose file is loaded when it is first shown; until then `space` keeps its place. (React's `lazy` would hold it back for
 * another 300 ms, and a file that cannot be loaded would end the whole page.)
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, space: ReactNode = null) {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const { t } = useLingui();
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        () => setFailed(true),
      );
    }, []);
    useEffect(() => {
      // Not every browser fetches a module again after a failure, so this reloads the page.
      const again = () => failed && location.reload();
      window.addEventListener('online', again);
      return () => window.removeEventListener('online', again);
    }, [failed]);
    if (Part) return <Part {...props} />;
    if (!failed) return space;
    return (
      <p role="alert">
        {t`No connection.`} <a href={location.pathname}>{t`Try again`}</a>
      </p>
    );
  };
}
