/** Resolves once the page has nothing better to do, after three seconds at the latest. */
export const idle = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 3_000 }) : setTimeout(resolve, 1_000),
  );
