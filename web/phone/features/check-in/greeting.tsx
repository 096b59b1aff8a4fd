import { useLingui } from '@lingui/react/macro';
import type { OfficeFront } from '#contract/patient.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './greeting.module.css';

/** The office's greeting above the form, or the default one. */
export function Greeting({ greeting }: Pick<OfficeFront, 'greeting'>) {
  const { t } = useLingui();
  const language = useLanguage();
  const ours = t`Welcome. Please stay in your car and check in here: we call you in when we are ready.`;
  return (
    <div className={css.greeting}>
      <h1>{t`Check in`}</h1>
      <p dir="auto">{greeting[language] || ours}</p>
    </div>
  );
}
