import { getRouteApi } from '@tanstack/react-router';
import type { QueueAddress } from './queue-address.ts';

const route = getRouteApi('/office/dashboard');

export type Tab = 'checkin' | 'history';

interface PlaceHook {
  tab: Tab;
  visitId: string | undefined;
  day: string | undefined;
  /** Changes the given parts of the address. Stepping through patients leaves no trail for Back; opening one on a phone does. */
  go: (to: QueueAddress, options?: { keep?: boolean }) => void;
}

/** Tab, selection and day, as the address holds them. */
export function useQueueAddress(): PlaceHook {
  const { tab, visit, day } = route.useSearch();
  const navigate = route.useNavigate();
  const go = (to: QueueAddress, { keep = false } = {}) =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace: !keep });
  return { tab: tab ?? 'checkin', visitId: visit, day, go };
}
