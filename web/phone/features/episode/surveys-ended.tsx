import { useLingui } from '@lingui/react/macro';
import { consentToEpisode } from '#contract/ambulatory/episode.ts';
import { call } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { CallOffice } from './call-office.tsx';
import type { EpisodeProps } from './consent.tsx';
import css from './episode.module.css';
import { refusalText, useEpisodeAction } from './use-episode.ts';

/** No more surveys: the patient said no, and can change their mind. If the practice ends them, the link ends too. */
export function SurveysEnded({ token, episode, onEpisode }: EpisodeProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { run, isBusy, refused } = useEpisodeAction(onEpisode);
  return (
    <div className={css.page}>
      <h1>{t`Your surveys are turned off`}</h1>
      <p>{t`We won’t text you questions about your recovery. If something worries you, please call the office.`}</p>
      <CallOffice phone={episode.officePhone} isMain />
      <p className={css.emergency}>{t`In an emergency, call 911.`}</p>
      <button
        type="button"
        className={buttons.plain}
        aria-busy={isBusy || undefined}
        onClick={() => run(() => call(consentToEpisode, { params: { token }, body: { consent: true, language } }))}
      >
        {t`Restart my surveys`}
      </button>
      {refused && <ErrorMessage>{refusalText(refused, t`No connection. Please try again.`)}</ErrorMessage>}
    </div>
  );
}
