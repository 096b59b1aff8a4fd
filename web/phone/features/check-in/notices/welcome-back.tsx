import { useLingui } from '@lingui/react/macro';
import type { OfficeFront } from '#contract/patient/check-in.ts';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import { Frame } from '#web/phone/ui/frame.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';

interface WelcomeBackProps {
  office: OfficeFront;
  /** Of the first name: its owner knows it, and nobody else learns more from a shared phone or tablet. Null: only the status is shown here. */
  initial: string | null;
  /** The visit could not be forgotten just now. */
  failed: boolean;
  onContinue: () => void;
  onSomebodyElse: () => void;
}

/** A visit runs on this phone: its owner goes on with it, anybody else starts over. */
export function WelcomeBack({ office, initial, failed, onContinue, onSomebodyElse }: WelcomeBackProps) {
  const { t } = useLingui();
  return (
    <Frame officeName={office.officeName} address={office.address} officePhone={office.officePhone}>
      <Notice icon={ClockIcon} title={t`Someone is already checked in on this phone`}>
        {initial === null && <p>{t`To continue that visit, open the link in our text message.`}</p>}
        <button type="button" className={buttons.main} onClick={onContinue}>
          {initial === null ? t`See the status` : t`Continue as ${initial}…?`}
        </button>
        <button type="button" className={buttons.plain} onClick={onSomebodyElse}>
          {t`I’m someone else`}
        </button>
        {failed && <ErrorMessage>{t`No connection. Please try again.`}</ErrorMessage>}
      </Notice>
    </Frame>
  );
}
