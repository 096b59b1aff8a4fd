import { useLingui } from '@lingui/react/macro';
import { useNow } from '#web/kit/clock.ts';
import { formatDay, formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import css from './printed-line.module.css';

/** Printed only: the practice and the time of printing. */
export function PrintedLine() {
  const { t } = useLingui();
  const language = useLanguage();
  const zone = useOfficeZone();
  const now = useNow();
  const name = useSession().office?.officeName ?? '';
  const day = formatDay(now, language, zone);
  const time = formatTime(now, language, zone);
  return <p className={css.printed}>{t`${name} · printed ${day}, ${time}`}</p>;
}
