import { useLingui } from '@lingui/react/macro';
import type { Advice } from '#contract/ambulatory/episode.ts';
import { PhoneIcon } from '#web/icons/phone.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import { CallOffice } from './call-office.tsx';
import notice from '#web/phone/ui/notice.module.css';

interface WhatToDoProps {
  advice: Exclude<Advice, 'none'>;
  officePhone: string | null;
}

/** What a patient with a warning sign does now: calls the practice, or 911. */
export function WhatToDo({ advice, officePhone }: WhatToDoProps) {
  const { t } = useLingui();
  const call911 = (
    <a className={buttons.danger} href="tel:911">
      <PhoneIcon />
      {t`Call 911`}
    </a>
  );
  if (advice === 'call-911')
    return (
      <div role="alert" className={notice.box}>
        <p>{t`What you reported can be an emergency. Do not wait for a call from us, and do not drive yourself.`}</p>
        {call911}
        <CallOffice phone={officePhone} />
      </div>
    );
  return (
    <div role="alert" className={notice.box}>
      <p>{t`What you reported should be looked at today. Please call, even if a nurse is going to call you.`}</p>
      <CallOffice phone={officePhone} isMain />
      <p>{t`Call 911 if you have chest pain, trouble breathing, or bleeding that does not stop.`}</p>
      {call911}
    </div>
  );
}
