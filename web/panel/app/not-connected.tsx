import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PublicConfig } from '#contract/practice/office.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { useProviderNames } from './provider-names.ts';

/** Names the providers that this installation does not have yet. */
export function NotConnected({ providers }: { providers: PublicConfig['localProviders'] }) {
  const { t } = useLingui();
  const missing = useProviderNames(providers);
  const [seen, setSeen] = useState(false);
  if (seen) return null;
  return (
    <Banner onClose={() => setSeen(true)}>
      {t`Not connected yet: ${missing}. Nothing is really sent through them.`}
    </Banner>
  );
}
