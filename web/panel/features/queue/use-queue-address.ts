import { getRouteApi } from '@tanstack/react-router';
import type { Place } from './queue-address.ts';

const route = getRouteApi('/office/dashboard');

export type Tab = 'checkin' | 'history';

interface PlaceHook {
  tab: Tab;
  visitId: string | undefined;
  day: string | undefined;
  /** Changes the given parts of the address. Stepping through patients leaves no trail for Back; opening one on a phone does. */
  go: (to: Place, options?: { keep?: boolean }) => void;
}

/** Tab, selection and day, as the address holds them. */
export function usePlace(): PlaceHook {
  const { tab, visit, day } = route.useSearch();
  const navigate = route.useNavigate();
  const go = (to: Place, { keep = false } = {}) =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace: !keep });
  return { tab: tab ?? 'checkin', visitId: visit, day, go };
}
