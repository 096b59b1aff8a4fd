import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PublicConfig } from '#contract/practice/office.ts';
import { Banner } from '#web/panel/ui/banner.tsx';

/** Names the providers that this installation does not have yet. */
export function NotConnected({ providers }: { providers: PublicConfig['localProviders'] }) {
  const { t } = useLingui();
  const [seen, setSeen] = useState(false);
  const names = {
    sms: t`text messages`,
    email: t`email`,
    push: t`push notifications`,
    google: t`Google`,
    esign: t`signatures`,
    merchant: t`card payments`,
    card: t`membership`,
    practiceSoftware: t`practice software`,
  };
  const missing = providers.map((provider) => names[provider]).join(', ');
  if (seen) return null;
  return (
    <Banner onClose={() => setSeen(true)}>
      {t`Not connected yet: ${missing}. Nothing is really sent through them.`}
    </Banner>
  );
}
