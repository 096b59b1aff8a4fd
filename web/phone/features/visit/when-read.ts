/** Calls back once the element was on the visible page for two seconds, long enough to be read. Returns what stops the watch. */
export function whenRead(element: HTMLElement, onRead: () => void): () => void {
  // A long message counts once it fills a third of the screen.
  const threshold = Math.min(0.9, innerHeight / 3 / element.offsetHeight);
  // Behind the buttons at the page's foot nothing is in view, nor below the bar.
  const foot = document.querySelector('[data-foot]')?.clientHeight ?? 0;
  let isInView = false;
  let halfSeconds = 0;
  const timer = setInterval(() => {
    halfSeconds = isInView && !document.hidden ? halfSeconds + 1 : 0;
    if (halfSeconds === 4) onRead();
  }, 500);
  const observer = new IntersectionObserver((entries) => (isInView = entries.at(-1)!.intersectionRatio >= threshold), {
    threshold,
    rootMargin: `-60px 0px -${foot}px`,
  });
  observer.observe(element);
  return () => {
    clearInterval(timer);
    observer.disconnect();
  };
}
