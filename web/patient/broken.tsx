import { useLingui } from '@lingui/react/macro';
import { Frame } from '#web/features/patient/frame.tsx';

/** The page could not be loaded whole: most often the network. */
export function Broken() {
  const { t } = useLingui();
  return (
    <Frame>
      <div role="alert">
        <h1>{t`This page did not load`}</h1>
        <p>
          <a href={location.pathname}>{t`Try again`}</a>
        </p>
      </div>
    </Frame>
  );
}
