import { test as base } from '@playwright/test';

export * from '@playwright/test';

/** A journey. At its end the pages that it opened are closed: each would follow the queue until the last journey. */
export const test = base.extend<{ closesPages: void }>({
  closesPages: [
    async ({ browser }, use) => {
      const earlier = new Set(browser.contexts());
      await use();
      const opened = browser.contexts().filter((context) => !earlier.has(context));
      // A request that a journey answers itself may be on its way.
      const routed = opened.flatMap((context) => [context, ...context.pages()]);
      await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
      await Promise.all(opened.map((context) => context.close()));
    },
    { auto: true },
  ],
});
