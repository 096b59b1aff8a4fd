/** Resolves once the page is idle, after three seconds at the latest. */
export const whenIdle = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 3_000 }) : setTimeout(resolve, 1_000),
  );
