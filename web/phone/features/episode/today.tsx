import { useLingui } from '@lingui/react/macro';
import { declineEpisode, type EpisodeSurvey } from '#contract/ambulatory/episode.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { call } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { adviceOfToday } from './advice-of-today.ts';
import type { EpisodeProps } from './consent.tsx';
import { daysFrom } from '#web/kit/office-clock.ts';
import { formatPlainDay, formatWallTime } from './dates.ts';
import notice from '#web/phone/ui/notice.module.css';
import css from './episode.module.css';
import { useFiledSurveys } from './filed-surveys.ts';
import { CallMe } from './call-me.tsx';
import { useSurveyName } from './survey-name.ts';
import { refusalText, useEpisodeAction } from './use-episode.ts';
import { WhatToDo } from './what-to-do.tsx';

interface TodayProps extends EpisodeProps {
  onSurvey: (surveyId: string) => void;
}

/** The survey of the day, or when the next one comes; and the way to ask for a call. */
export function Today({ token, episode: read, onSurvey, onEpisode }: TodayProps) {
  const { t } = useLingui();
  const nameOf = useSurveyName();
  const surveys = useFiledSurveys(read.surveys);
  const episode = { ...read, surveys };
  const { day } = episode;
  const open = surveys.find(({ state }) => state === 'open');
  const advice = adviceOfToday(episode);
  return (
    <div className={css.page}>
      {day > 0 && <p className={css.eyebrow}>{t`Day ${day} after your surgery`}</p>}
      {advice !== 'none' && <WhatToDo advice={advice} officePhone={episode.officePhone} />}
      {open ? (
        <>
          <h1>{t`How are you today?`}</h1>
          <p>{t`A few questions about your pain and your recovery. It takes about two minutes.`}</p>
          <button type="button" className={buttons.main} onClick={() => onSurvey(open.id)}>
            {open.started ? t`Continue: ${nameOf(open)}` : t`Start: ${nameOf(open)}`}
            <ChevronRightIcon />
          </button>
        </>
      ) : (
        <NothingOpen episode={episode} />
      )}
      <CallMe token={token} episode={episode} advice={advice} onEpisode={onEpisode} />
      <Earlier surveys={surveys.filter(({ state }) => state !== 'open' && state !== 'planned')} />
      <TurnOff token={token} onEpisode={onEpisode} />
    </div>
  );
}

/** The page that follows offers the way back. */
function TurnOff({ token, onEpisode }: Pick<EpisodeProps, 'token' | 'onEpisode'>) {
  const { t } = useLingui();
  const { run, isBusy, refused } = useEpisodeAction(onEpisode);
  return (
    <>
      <button
        type="button"
        className={buttons.quiet}
        aria-busy={isBusy || undefined}
        onClick={() => run(() => call(declineEpisode, { params: { token } }))}
      >
        {t`Stop my surveys`}
      </button>
      {refused && <ErrorMessage>{refusalText(refused, t`No connection. Please try again.`)}</ErrorMessage>}
    </>
  );
}

/** Today's survey is answered, or there is none today: when the next one comes. */
function NothingOpen({ episode }: Pick<TodayProps, 'episode'>) {
  const { t } = useLingui();
  const language = useLanguage();
  const { surveys, surveyDays, surveyTime, day, episodeDate } = episode;
  const isAnswered = surveys[0]?.state === 'submitted';
  const isDueToday = surveyDays.includes(day) && !surveys.some((survey) => survey.day === day);
  const next = surveyDays.find((one) => one > day);
  if (isDueToday) {
    const time = formatWallTime(surveyTime, language);
    return (
      <>
        <h1>{t`Thank you for taking part`}</h1>
        <p>{t`We text you today’s survey at about ${time}. It also appears here.`}</p>
      </>
    );
  }
  const nextDay = next === undefined ? null : formatPlainDay(daysFrom(episodeDate, next), language);
  return (
    <>
      <h1>{isAnswered ? t`Thank you, we have your answers` : t`Nothing to answer right now`}</h1>
      <p>{nextDay === null ? t`There are no more surveys.` : t`We text you the next survey on ${nextDay}.`}</p>
    </>
  );
}

/** The surveys that were asked before. */
function Earlier({ surveys }: { surveys: readonly EpisodeSurvey[] }) {
  const { t } = useLingui();
  const nameOf = useSurveyName();
  if (surveys.length === 0) return null;
  return (
    <section className={notice.box} aria-labelledby="earlier">
      <h2 id="earlier">{t`Your surveys`}</h2>
      <ul className={css.rows}>
        {surveys.map((survey) => (
          <li key={survey.id}>
            <span>{nameOf(survey)}</span>
            {survey.state === 'submitted' ? (
              <span className={css.answered}>
                <CheckCircleIcon size={16} />
                {t`Answered`}
              </span>
            ) : (
              <span className={css.missed}>{t`Not answered`}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
