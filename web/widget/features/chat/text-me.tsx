import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
import { sendVisitorCode, verifyVisitorPhone } from '#contract/website-chat.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { call } from '#web/kit/call.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './chat-page.module.css';
import { OneField } from './one-field.tsx';

interface TextMeProps {
  /** The end of the number that is verified already. */
  phoneEnding: string | null;
  /** That number gets no texts from the practice, such as after STOP. */
  isBlocked: boolean;
  onVerified: (ending: string) => void;
}

type Step = 'closed' | 'phone' | 'code';

const focusIt = (element: HTMLElement | null) => element?.focus();

/** Verifies a phone number by a code, so that answers follow by text when the visitor has left. */
export function TextMe({ phoneEnding, isBlocked, onVerified }: TextMeProps) {
  const { t } = useLingui();
  const [step, setStep] = useState<Step>('closed');
  const [hasOpened, setOpened] = useState(false);
  /** The form had the focus, and what replaces it takes it. */
  const focusAfterForm = hasOpened ? focusIt : null;
  const [phone, setPhone] = useState('');
  if (phoneEnding !== null && isBlocked)
    return (
      <p className={css.textMe} role="status">
        {t`Your number ending in ${phoneEnding} gets no texts from us. You see answers here.`}
      </p>
    );
  if (phoneEnding !== null)
    return (
      <p ref={focusAfterForm} tabIndex={-1} className={css.textMe} role="status">
        <CheckIcon /> <span>{t`If you leave, answers go by text to your number ending in ${phoneEnding}.`}</span>
      </p>
    );
  if (step === 'closed')
    return (
      <p className={css.textMe}>
        <button
          ref={focusAfterForm}
          type="button"
          className={buttons.link}
          onClick={() => {
            setOpened(true);
            setStep('phone');
          }}
        >
          {t`Leaving? Get the answer by text`}
        </button>
      </p>
    );
  if (step === 'phone')
    return (
      <OneField
        key="phone"
        label={t`Mobile number`}
        hint={t`We’ll text you a code. Text messages are not secure: others can read them on the way.`}
        button={t`Text me a code`}
        first={phone}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        onSubmit={async (typed) => {
          setPhone(typed);
          await call(sendVisitorCode, { body: { phone: typed } });
          setStep('code');
        }}
        onCancel={() => setStep('closed')}
      />
    );
  const shownPhone = formatPhone(phone);
  return (
    <OneField
      key="code"
      label={t`Code from the text`}
      hint={t`Sent to ${shownPhone}. It works for three minutes.`}
      button={t`Confirm`}
      first=""
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      onSubmit={async (typed) => onVerified((await call(verifyVisitorPhone, { body: { code: typed } })).phoneEnding)}
      onCancel={() => setStep('phone')}
    />
  );
}
