import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { sessionQuery } from '#web/kit/session.ts';
import { NotFoundPage } from './not-found.tsx';

interface Context {
  cache: QueryClient;
}

/** Fetches the session before any page is shown. */
export const root = createRootRouteWithContext<Context>()({
  beforeLoad: async ({ context }) => ({ session: await context.cache.ensureQueryData(sessionQuery) }),
  notFoundComponent: NotFoundPage,
});
