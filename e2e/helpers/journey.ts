import { test as base } from '@playwright/test';

export * from '@playwright/test';

/** A journey. At its end the pages that it opened are closed: each would follow the queue until the last journey. */
export const test = base.extend<{ closesPages: void }>({
  closesPages: [
    async ({ browser }, use) => {
      const earlier = new Set(browser.contexts());
      await use();
      await Promise.all(
        browser
          .contexts()
          .filter((context) => !earlier.has(context))
          .map((context) => context.close()),
      );
    },
    { auto: true },
  ],
});
