import { useEffect, useState } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { ringMessage } from '#web/phone/ui/chime.ts';

/** The newest message if the front desk wrote it while the page was open, until `markRead`. Rings and vibrates for each. */
export function useNewMessage(visit: PatientVisit | null): { isNew: boolean; markRead: () => void } {
  const newest = visit?.messages.at(-1);
  const id = newest?.id ?? null;
  const isOffice = newest?.from === 'office';
  const [read, setRead] = useState<{ id: string | null } | null>(null);
  // What was there before the page is not news.
  if (visit && read === null) setRead({ id });
  const isNew = isOffice && read !== null && read.id !== id;
  useEffect(() => {
    if (isNew) ringMessage();
  }, [isNew, id]);
  return { isNew, markRead: () => setRead({ id }) };
}
