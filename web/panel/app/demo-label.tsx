import { useLingui } from '@lingui/react/macro';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { useProviderNames } from './provider-names.ts';
import css from './top-bar.module.css';

/** Says that this is a demo, and leads to what would have been sent. */
export function DemoLabel() {
  const { t } = useLingui();
  const config = usePublicConfig();
  const names = useProviderNames(config?.localProviders ?? []);
  if (!config?.demo || config.localProviders.length === 0) return null;
  const tip = t`Demo mode: nothing is really sent (${names}). View outbox`;
  return (
    <a
      className={css.demo}
      href="/dev/outbox"
      target="_blank"
      aria-label={t`Demo: view outbox`}
      aria-description={tip}
      data-tip={tip}
      data-tip-at="below-end"
    >
      {t`Demo`}
    </a>
  );
}
