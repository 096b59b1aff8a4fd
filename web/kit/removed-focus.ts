import { useEffect } from 'react';

const headings = 'h1, h2, h3';

/**
 * When what has the focus leaves the page (a button with its press, a row that somebody else moved, a page's heading while it
 * loads), the browser leaves the focus nowhere. It goes to the heading of the nearest part around it that is still there, so that
 * a person on a keyboard goes on from where they were and a screen reader says where that is. Only for the page itself (`main`),
 * also when a dialog closes over it.
 */
export function useFocusAfterRemoval(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let around: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      // A dialog gives the focus back to what opened it, which may be gone by then.
      if (!(target instanceof HTMLElement) || !target.closest('main')) return;
      last = target;
      around = ancestorsOf(target);
    };
    const isLost = () => last !== null && !last.isConnected && document.activeElement === document.body;
    const restore = () => {
      // Who removed it may have given the focus to something else meanwhile.
      if (!isLost()) return;
      const part = around.find((one) => one.isConnected && one.querySelector(headings));
      const heading = part?.querySelector<HTMLElement>(headings);
      last = null;
      if (!heading) return;
      if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (isLost()) setTimeout(restore);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const parent = element.parentElement;
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}
