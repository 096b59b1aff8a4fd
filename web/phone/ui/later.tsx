import { useEffect, useState, type ComponentType, type MouseEvent, type ReactNode } from 'react';
import { NoConnection } from './no-connection.tsx';

/**
 * A part of a page whose file is loaded when it is first shown; until then `space` keeps its place. (React's `lazy` would hold it back for
 * another 300 ms, and a file that cannot be loaded would end the whole page.)
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, space: ReactNode = null) {
  let loaded: ComponentType<Props> | undefined;
  const fetchPart = async () => (loaded ??= await load());
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    const show = () => fetchPart().then((part) => setPart(() => part));
    useEffect(() => {
      show().catch(() => setFailed(true));
    }, []);
    useEffect(() => {
      if (!failed) return;
      // The page itself is never loaded again without a press: it may hold a message or a tap that waits for the network.
      const again = () => void show().catch(() => undefined);
      window.addEventListener('online', again);
      return () => window.removeEventListener('online', again);
    }, [failed]);
    if (Part) return <Part {...props} />;
    if (!failed) return space;
    // Not every browser fetches a module again after a failure.
    const tryAgain = (event: MouseEvent) => {
      event.preventDefault();
      show().catch(() => navigator.onLine && location.reload());
    };
    return <NoConnection href={location.pathname} onClick={tryAgain} />;
  };
}
