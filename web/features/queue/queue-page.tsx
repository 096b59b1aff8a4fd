import { useLingui } from '@lingui/react/macro';
import { useTitle } from '#web/kit/title.ts';

export function QueuePage() {
  const { t } = useLingui();
  useTitle(t`Check-in`);
  return <h1>{t`Check-in`}</h1>;
}
