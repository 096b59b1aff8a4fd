import { useLingui } from '@lingui/react/macro';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { Phone } from '#web/kit/format.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';

interface CallOfficeProps {
  /** Null if the practice has told us no number. */
  phone: string | null;
  /** The most important button of the page. */
  isMain?: boolean;
}

/** A button that calls the practice. */
export function CallOffice({ phone, isMain = false }: CallOfficeProps) {
  const { t } = useLingui();
  if (phone === null) return null;
  return (
    <a className={isMain ? buttons.main : buttons.plain} href={`tel:${phone}`}>
      <PhoneIcon />
      <span>
        {t`Call the office`} <Phone value={phone} />
      </span>
    </a>
  );
}
