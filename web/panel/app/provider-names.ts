import { useLingui } from '@lingui/react/macro';
import type { PublicConfig } from '#contract/practice/office.ts';

/** The outside services that this installation only imitates, as a list in a sentence. */
export function useProviderNames(providers: PublicConfig['localProviders']): string {
  const { t } = useLingui();
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
  return providers.map((provider) => names[provider]).join(', ');
}
