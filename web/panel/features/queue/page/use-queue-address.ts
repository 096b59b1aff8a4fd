import { getRouteApi, useRouter } from '@tanstack/react-router';
import { readQueueAddress, type QueueAddress } from './queue-address.ts';

const route = getRouteApi('/office/dashboard');

export type Tab = 'checkin' | 'history';

interface QueueAddressHook {
  tab: Tab;
  visitId: string | undefined;
  /** The selected visit at this moment: a key can come before the page has rendered the selection of the key before it. */
  selectedNow: () => string | undefined;
  day: string | undefined;
  /** Changes parts of the address. Stepping through patients replaces the history entry; `keep` adds one. */
  go: (to: QueueAddress, options?: { keep?: boolean }) => void;
}

/** Tab, selected visit and day from the address. */
export function useQueueAddress(): QueueAddressHook {
  const { tab, visit, day } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const go = (to: QueueAddress, { keep = false } = {}) =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace: !keep });
  const selectedNow = () => readQueueAddress(router.latestLocation.search).visit;
  return { tab: tab ?? 'checkin', visitId: visit, selectedNow, day, go };
}
