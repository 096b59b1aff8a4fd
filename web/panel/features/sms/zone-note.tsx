import { Trans } from '@lingui/react/macro';
import { useForeignZone } from '#web/kit/format.tsx';
import css from './sms.module.css';

/** Shown when this computer's time zone differs from the office's. */
export function ZoneNote() {
  const name = useForeignZone();
  if (!name) return null;
  return (
    <p className={css.note}>
      <Trans>Times shown in office time ({name})</Trans>
    </p>
  );
}
