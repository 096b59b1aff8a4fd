import { useLingui } from '@lingui/react/macro';
import { useTitle } from '#web/kit/title.ts';

export function SignInPage() {
  const { t } = useLingui();
  useTitle(t`Sign In`);
  return (
    <main id="main">
      <h1>{t`Sign In`}</h1>
    </main>
  );
}
