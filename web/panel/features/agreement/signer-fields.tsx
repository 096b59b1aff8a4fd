import { Trans, useLingui } from '@lingui/react/macro';
import { TextInput } from '#web/panel/ui/field.tsx';
import css from './signing.module.css';
import type { Signer } from './use-signer.ts';

/** The signer's name and email; asked only if they signed in by phone. */
export function SignerFields({ signer }: { signer: Signer }) {
  const { t } = useLingui();
  if (!signer.asks)
    return (
      <p className={css.small}>
        <Trans>
          Signing as <bdi>{signer.email}</bdi>.
        </Trans>
      </p>
    );
  return (
    <TextInput
      label={t`Email address of the person who signs`}
      type="email"
      autoComplete="email"
      inputMode="email"
      size="l"
      value={signer.email}
      onChange={(event) => signer.change(event.currentTarget.value)}
      error={signer.wrong ? t`Invalid email` : undefined}
    />
  );
}
