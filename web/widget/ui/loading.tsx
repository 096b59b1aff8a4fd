import { useLingui } from '@lingui/react/macro';
import css from './loading.module.css';

/** Before there is anything to show: a word for screen readers, gray boxes after a moment. */
export function Loading() {
  const { t } = useLingui();
  return (
    <div className={css.boxes} role="status">
      <span className={css.message}>{t`One moment…`}</span>
    </div>
  );
}
