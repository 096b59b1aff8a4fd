import { useLingui } from '@lingui/react/macro';
import type { OfficeFront } from '#contract/patient/check-in.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './greeting.module.css';

/** The office's greeting above the form, or the default one. A patient who checked in by a text reads that it worked. */
export function Greeting({ greeting, hasArrived = false }: Pick<OfficeFront, 'greeting'> & { hasArrived?: boolean }) {
  const { t } = useLingui();
  const language = useLanguage();
  const ours = t`Welcome! Check in here and wait where you’re comfortable. We’ll let you know when it’s time to come in.`;
  return (
    <div className={css.greeting}>
      <h1>{hasArrived ? t`You’re checked in` : t`Check in`}</h1>
      <p dir="auto">{hasArrived ? t`Please tell us who is being seen today.` : greeting[language] || ours}</p>
    </div>
  );
}
