import { useLingui } from '@lingui/react/macro';
import { requestCall, type Advice } from '#contract/ambulatory/episode.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { call } from '#web/kit/call.ts';
import { formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { CallOffice } from './call-office.tsx';
import type { EpisodeProps } from './consent.tsx';
import notice from '#web/phone/ui/notice.module.css';
import css from './episode.module.css';
import { refusalText, useEpisodeAction } from './use-episode.ts';

interface CallMeProps extends EpisodeProps {
  /** What the page says above to do now, with the buttons that call. */
  advice: Advice;
}

/** "Please call me": a nurse gets the request at once. Beside it what to do when there is no time to wait. */
export function CallMe({ token, episode, advice, onEpisode }: CallMeProps) {
  const { t } = useLingui();
  const { run, isBusy, refused } = useEpisodeAction(onEpisode);
  const { callRequestedAt, officePhone } = episode;
  const language = useLanguage();
  const zone = useOfficeZone();
  const since = callRequestedAt === null ? '' : formatTime(callRequestedAt, language, zone);
  return (
    <section className={notice.box} aria-labelledby="call-me">
      <h2 id="call-me">{t`Do you want to talk to a nurse?`}</h2>
      <div role="status">
        {callRequestedAt !== null && (
          <p className={css.answered}>
            <CheckCircleIcon />
            <span>
              {advice === 'call-911'
                ? t`Our nurses got your request at ${since}.`
                : t`Our nurses got your request at ${since}. One of them will call you.`}
            </span>
          </p>
        )}
      </div>
      {callRequestedAt === null && (
        <button
          type="button"
          className={buttons.plain}
          aria-busy={isBusy || undefined}
          onClick={() => run(() => call(requestCall, { params: { token } }))}
        >
          <PhoneIcon />
          {t`Please call me`}
        </button>
      )}
      {refused && <ErrorMessage>{refusalText(refused, t`No connection. Please try again.`)}</ErrorMessage>}
      {advice === 'none' && (
        <>
          <CallOffice phone={officePhone} />
          <p className={css.emergency}>{t`In an emergency, call 911.`}</p>
        </>
      )}
    </section>
  );
}
