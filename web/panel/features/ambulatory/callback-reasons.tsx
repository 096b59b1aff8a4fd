import { useLingui } from '@lingui/react/macro';
import type { CallbackReason, CallbackReasonCode, NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './ambulatory.module.css';

/** Why a callback was raised, one line for each reason. */
export function CallbackReasons({ callback }: { callback: Pick<NurseCallback, 'reasons'> }) {
  const { t } = useLingui();
  const language = useLanguage();
  const names: Record<Exclude<CallbackReasonCode, 'requested'>, string> = {
    score: t`Pain score`,
    rise: t`Pain rose`,
    asked: t`Asked for a call`,
    word: t`Watched word`,
    'red-flag': t`Warning sign`,
  };
  const days = new Set(callback.reasons.map(({ day }) => day));
  const textOf = ({ code, detail }: CallbackReason) => {
    if (code === 'requested') return t`Requested by ${detail[language]}`;
    return detail[language] === '' ? names[code] : t`${names[code]}: ${detail[language]}`;
  };
  /** With the survey's day where a callback has reasons of several. */
  const lineOf = (reason: CallbackReason) => {
    const { day } = reason;
    const text = textOf(reason);
    return days.size > 1 && day !== undefined ? t`Day ${day}: ${text}` : text;
  };
  return (
    <ul className={css.reasons}>
      {callback.reasons.map((reason, i) => (
        <li key={i}>{lineOf(reason)}</li>
      ))}
    </ul>
  );
}
