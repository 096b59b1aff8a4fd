import type { QueryClient } from '@tanstack/react-query';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { googleReturnPath } from '#contract/sign-in/google.ts';
import { root } from '#web/panel/app/root-route.ts';
import { pathToOpen } from '#web/panel/app/tabs.ts';
import { EntryPage } from './entry-page.tsx';

/** Loaded on demand: only new practices need it. */
const partnerQueries = () => import('#web/panel/features/partner/use-partner.ts');

/** The application that this person started on the partner's pages; null also if it cannot be fetched now. */
async function partnerApplication(cache: QueryClient, personId: string) {
  try {
    return await cache.ensureQueryData((await partnerQueries()).applicationQuery(personId));
  } catch {
    return null;
  }
}

/** Sign-in and every step before the dashboards. A person who has completed them is redirected. */
const entry = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: ({ signUp }: Record<string, unknown>): { signUp?: 'regular' } =>
    signUp === 'regular' ? { signUp } : {},
  beforeLoad: async ({ context: { cache, session }, search }) => {
    const { gate, person } = session;
    if (gate.to !== '/') throw redirect({ to: pathToOpen(gate.to), replace: true });
    if (gate.because !== 'no-office' || !person || search.signUp) return;
    if (await partnerApplication(cache, person.id)) throw redirect({ to: '/chadis', replace: true });
  },
  component: EntryPage,
});

/** The partner's pages. Their brand is fetched before any of them is shown. */
const partner = createRoute({
  getParentRoute: () => root,
  id: 'partner',
  loader: async ({ context: { cache } }) => cache.ensureQueryData((await partnerQueries()).brandQuery),
});

/** Practice info, for a new practice or another location. An office without a signed agreement is redirected to it. */
const partnerStart = createRoute({
  getParentRoute: () => partner,
  path: '/chadis',
  beforeLoad: ({ context: { session } }) => {
    if (session.gate.to === '/chadis/signhipaa') throw redirect({ to: '/chadis/signhipaa', replace: true });
  },
  loader: async ({ context: { cache, session } }) => {
    if (session.person) await partnerApplication(cache, session.person.id);
  },
  component: lazyRouteComponent(() => import('./partner-pages.tsx'), 'PartnerStartPage'),
});

/** Redirects to the last step once the agreement is signed. */
const partnerSigning = createRoute({
  getParentRoute: () => partner,
  path: '/chadis/signhipaa',
  beforeLoad: ({ context: { session } }) => {
    if (session.gate.because === 'locked' || session.gate.to === '/chadis/signhipaa') return;
    throw redirect({ to: session.office?.hellosignComplete ? '/chadis/laststep' : '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./partner-pages.tsx'), 'PartnerSigningPage'),
});

const partnerLast = createRoute({
  getParentRoute: () => partner,
  path: '/chadis/laststep',
  beforeLoad: ({ context: { session } }) => {
    if (!session.office?.hellosignComplete) throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./partner-pages.tsx'), 'PartnerLastStepPage'),
});

const partnerError = createRoute({
  getParentRoute: () => partner,
  path: '/chadis/error',
  component: lazyRouteComponent(() => import('./partner-pages.tsx'), 'PartnerErrorPage'),
});

/** The practice form again, for a person who already has an office. */
const newLocation = createRoute({
  getParentRoute: () => root,
  path: '/locations/new',
  beforeLoad: ({ context: { session } }) => {
    if (!session.office || session.gate.because === 'locked') throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./new-location-page.tsx'), 'NewLocationPage'),
});

/** The page that an invitation's link opens. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$token',
  component: lazyRouteComponent(() => import('./join-page.tsx'), 'JoinPage'),
});

/** The open invitations of a person who is signed in. */
const invitations = createRoute({
  getParentRoute: () => root,
  path: '/join',
  beforeLoad: ({ context: { session } }) => {
    if (!session.person) throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./join-page.tsx'), 'InvitationsPage'),
});

const googleReturn = createRoute({
  getParentRoute: () => root,
  path: googleReturnPath,
  component: lazyRouteComponent(() => import('./google-return-page.tsx'), 'GoogleReturnPage'),
});

/** Every page outside the dashboards: sign-in, registration, the partner's sign-up, invitations. */
export const entryRoutes = [
  entry,
  partner.addChildren([partnerStart, partnerSigning, partnerLast, partnerError]),
  newLocation,
  join,
  invitations,
  googleReturn,
] as const;
