import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import { emailPattern } from '#contract/email.ts';
import { consentToEpisode, declineEpisode, type Episode } from '#contract/ambulatory/episode.ts';
import { call } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Field } from '#web/phone/ui/field.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import footer from '#web/questionnaire/ui/footer.module.css';
import { formatPlainDay, formatWallTime } from './dates.ts';
import css from './episode.module.css';
import { refusalText, useEpisodeAction } from './use-episode.ts';

export interface EpisodeProps {
  token: string;
  episode: Episode;
  onEpisode: (episode: Episode) => void;
}

/** What the practice would like to ask, and how often. Nothing is texted before the patient agrees. */
export function Consent({ token, episode, onEpisode }: EpisodeProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const { run, isBusy, refused } = useEpisodeAction(onEpisode);
  const { officeName, patientName, episodeDate, surveyDays, surveyTime } = episode;
  const address = email.trim();
  const isWrong = address !== '' && !emailPattern.test(address);
  const firstName = patientName.split(' ')[0] ?? patientName;
  const surgeryDay = formatPlainDay(episodeDate, language);
  const time = formatWallTime(surveyTime, language);
  const days = surveyDays.length;
  const lastDay = surveyDays.at(-1) ?? 0;

  const agree = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isWrong) return;
    const body = { consent: true as const, language, ...(address !== '' && { email: address }) };
    run(() => call(consentToEpisode, { params: { token }, body }));
  };
  return (
    <form className={css.page} noValidate onSubmit={agree}>
      <h1>{t`Hello ${firstName}, how is your recovery?`}</h1>
      <p>{t`${officeName} would like to ask how you are after your surgery on ${surgeryDay}.`}</p>
      <ul className={css.list}>
        <li>
          {t`We text you a short survey at about ${time}, on ${days} days until day ${lastDay} after the surgery. It takes about two minutes.`}
        </li>
        <li>{t`Your care team reads your answers. A nurse may call you about them.`}</li>
        <li>{t`Message and data rates may apply. Reply STOP to any text to opt out.`}</li>
      </ul>
      <p className={css.emergency}>{t`No one reads the answers at night. In an emergency, call 911.`}</p>
      <Field
        label={t`Email (optional)`}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        error={tried && isWrong ? t`This is not a complete email address.` : undefined}
        onText={setEmail}
      />
      {refused && <ErrorMessage>{refusalText(refused, t`No connection. Please try again.`)}</ErrorMessage>}
      <div className={footer.foot}>
        <button type="submit" className={buttons.main} aria-busy={isBusy || undefined}>
          {t`I agree`}
        </button>
        <button
          type="button"
          className={buttons.quiet}
          onClick={() => run(() => call(declineEpisode, { params: { token } }))}
        >
          {t`No, thank you`}
        </button>
      </div>
    </form>
  );
}
