import { createRoute, redirect } from '@tanstack/react-router';
import { mayEnterOffice } from '#contract/sign-in/gate.ts';
import type { Session } from '#web/kit/session.ts';
import { root } from './root-route.ts';
import { Shell } from './shell.tsx';

/** A locked panel keeps its address: the shell shows the lock screen. */
const mayEnter = ({ person, office: of }: Session) => person !== null && mayEnterOffice(of);

/** The office's pages, inside the shell: only for a signed-in person whose office has signed the agreement. */
export const office = createRoute({
  getParentRoute: () => root,
  id: 'office',
  beforeLoad: ({ context: { session } }) => {
    if (!mayEnter(session)) throw redirect({ to: '/', replace: true });
  },
  component: Shell,
});
