import { useLingui } from '@lingui/react/macro';
import type { OfficeFront } from '#contract/patient/check-in.ts';
import { formatPhone } from '#contract/phone-format.ts';
import { formatTime, useForeignZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { formatHour, formatWeekday } from './hours.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { Frame } from '#web/phone/ui/frame.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import { MoonIcon } from '#web/icons/moon.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';

/** No office has this number. */
export function OfficeNotFound() {
  const { t } = useLingui();
  return (
    <Frame>
      <Notice icon={BuildingIcon} tone="amber" title={t`We could not find this practice`}>
        <p>{t`Please scan the code on the poster again, or ask at the front desk.`}</p>
      </Notice>
    </Frame>
  );
}

/** An address below a visit or a practice that does not exist; the link leads to what does. */
export function PageNotFound({ isVisit, start }: { isVisit: boolean; start: string }) {
  const { t } = useLingui();
  return (
    <Frame>
      <Notice icon={WarningIcon} tone="amber" title={t`We couldn’t find that page`}>
        <a className={buttons.plain} href={start}>
          {isVisit ? t`Go to your visit` : t`Go to check-in`}
        </a>
      </Notice>
    </Frame>
  );
}

/** Outside opening hours: today's hours and the next opening, by the office's clock. */
export function OfficeClosed({ office }: { office: OfficeFront }) {
  const { t } = useLingui();
  const language = useLanguage();
  const zone = useForeignZone();
  const { hoursToday, nextOpening, timeZone } = office;
  const phone = office.officePhone && formatPhone(office.officePhone);
  const open = hoursToday && formatHour(hoursToday.open, language);
  const close = hoursToday && formatHour(hoursToday.close, language);
  const day = nextOpening && formatWeekday(nextOpening, language, timeZone);
  const time = nextOpening && [formatTime(nextOpening, language, timeZone), zone].filter(Boolean).join(' ');
  return (
    <Notice icon={MoonIcon} title={t`We are closed right now`}>
      <p>
        {open && close ? t`Today’s hours: ${open} – ${close}` : t`We are closed today.`}
        {time && day && (
          <>
            <br />
            <strong>{t`We open on ${day} at ${time}`}</strong>
          </>
        )}
      </p>
      <p>
        {phone
          ? t`Please come back then, or call us at ${phone}. In an emergency, call 911.`
          : t`Please come back then, or call the practice. In an emergency, call 911.`}
      </p>
    </Notice>
  );
}
