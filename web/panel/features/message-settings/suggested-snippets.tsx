import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
import type { Language } from '#contract/shapes.ts';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { Select } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import css from './message-settings.module.css';

const delays = ['5', '10', '15', '20', '30', '45', '60'];

/** In the patient's language, which is not always the desk's. Without accents, so that they stay one text. */
const suggestedTexts = {
  en: {
    late: (minutes: string) => `We're running ${minutes} minutes late.`,
    door: 'Please use the side door.',
    call: (phone: string) => `Please call us at ${phone}.`,
  },
  es: {
    late: (minutes: string) => `Vamos con ${minutes} minutos de retraso.`,
    door: 'Por favor, use la puerta lateral.',
    call: (phone: string) => `Por favor, llame al ${phone}.`,
  },
} as const satisfies Record<Language, object>;

interface SuggestedSnippetsProps {
  language: Language;
  onChoose: (text: string) => void;
}

/** Messages for a practice that has no snippets yet. */
export function SuggestedSnippets({ language, onChoose }: SuggestedSnippetsProps) {
  const { t } = useLingui();
  const [minutes, setMinutes] = useState('10');
  const [phone, setPhone] = useState('');
  const phoneField = useRef<HTMLInputElement>(null);
  const isComplete = phone.length === 10;
  const { late, door, call } = suggestedTexts[language];
  const choices = [
    { name: t`Running late`, text: late(minutes) },
    { name: t`Side door`, text: door },
    { name: t`Call us`, text: call(isComplete ? formatPhone(`+1${phone}`) : '(…)'), lacksPhone: !isComplete },
  ];
  return (
    <>
      <p className={css.note}>{t`Your practice has no snippets yet. You can use these:`}</p>
      <div className={css.twos}>
        <Select label={t`Minutes late`} value={minutes} onChange={(event) => setMinutes(event.target.value)}>
          {delays.map((delay) => (
            <option key={delay}>{delay}</option>
          ))}
        </Select>
        <PhoneInput
          ref={phoneField}
          label={t`Your phone number`}
          autoComplete="off"
          value={phone}
          onChange={(digits) => setPhone(digits)}
        />
      </div>
      <ul className={css.found}>
        {choices.map(({ name, text, lacksPhone }) => (
          <li key={name}>
            <button
              type="button"
              className={css.choice}
              onClick={() => (lacksPhone ? phoneField.current?.focus() : onChoose(text))}
            >
              <strong>{name}</strong>
              <span lang={language}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
      <Link to="/dashboard/settings/messages" className={buttonClass({ variant: 'subtle', size: 's' })}>
        {t`Add snippets in the settings`}
      </Link>
    </>
  );
}
