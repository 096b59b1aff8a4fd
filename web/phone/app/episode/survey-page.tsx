import { useMemo } from 'react';
import { readEpisodePhoto, type Episode } from '#contract/ambulatory/episode.ts';
import { serverNow } from '#web/kit/clock.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import { episodeAddress, surveyAddress } from '#web/phone/features/episode/episode-address.ts';
import { SurveyDone } from '#web/phone/features/episode/survey-done.tsx';
import { SurveyGone } from '#web/phone/features/episode/survey-gone.tsx';
import { FormPages } from '#web/phone/features/forms/filling/form-pages.tsx';
import type { NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import type { FormEnvironment } from '#web/questionnaire/form-context.ts';
import { surveyCalls } from './survey-calls.ts';

interface SurveyPageProps {
  token: string;
  surveyId: string;
  step: string | null;
  episode: Episode;
  go: NavigateToForm;
  onHome: () => void;
}

/** `/episode/{token}/surveys/{survey}/{page}`: a survey page by page, its review, and what to do once it is filed. */
export function SurveyPage({ token, surveyId, step, episode, go, onHome }: SurveyPageProps) {
  const { officeName, timeZone, surveys } = episode;
  const pictures = useMemo(
    (): Pick<FormEnvironment, 'storePicture' | 'pictureUrl'> => ({
      storePicture: async (...picture) =>
        (await import('#web/phone/features/episode/upload-photo.ts')).uploadPhoto(token, ...picture),
      pictureUrl: ({ url = '' }) =>
        `/api${readEpisodePhoto.path.replace(':token', token).replace(':fileId', url.replace('urn:uuid:', ''))}`,
    }),
    [token],
  );
  // Opened again after it was filed, perhaps on another phone.
  if (surveys.some(({ id, state }) => id === surveyId && state === 'submitted'))
    return <SurveyDone episode={episode} surveyId={surveyId} onHome={onHome} />;
  const today = dayOf(serverNow(), timeZone);
  return (
    <FormPages
      address={surveyAddress(token, surveyId)}
      step={step}
      home={episodeAddress(token)}
      callsOf={() => surveyCalls(token, surveyId)}
      today={today}
      timeZone={timeZone}
      titleOf={(formName) => (formName === undefined ? officeName : `${formName} · ${officeName}`)}
      whose={undefined}
      pictures={pictures}
      go={go}
      gone={<SurveyGone onHome={onHome} />}
      done={() => <SurveyDone episode={episode} surveyId={surveyId} onHome={onHome} />}
    />
  );
}
