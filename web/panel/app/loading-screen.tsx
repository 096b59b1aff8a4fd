import { useLingui } from '@lingui/react/macro';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import css from './loading-screen.module.css';

/** Shown while the session or a page's code loads. Empty for the first 200 ms, so that a quick start does not flicker. */
export function LoadingScreen() {
  const { t } = useLingui();
  return (
    <div className={css.screen} role="status">
      <Spinner size={28} />
      <span>{t`Loading…`}</span>
    </div>
  );
}
