import { parseEpisodePath, episodeAddress, surveyAddress } from '#web/phone/features/episode/episode-address.ts';
import { EpisodePage } from '#web/phone/features/episode/episode-page.tsx';
import { loadMessages as loadFormMessages, loadQuestionMessages } from '#web/phone/features/forms/messages.ts';
import type { NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import { later } from '#web/phone/ui/later.tsx';

export { loadMessages } from '#web/phone/features/episode/messages.ts';

const SurveyPage = later(async () => {
  const page = await import('./survey-page.tsx');
  await Promise.all([loadFormMessages(), loadQuestionMessages()]);
  return page.SurveyPage;
});

interface EpisodePagesProps {
  path: string;
  go: NavigateToForm;
}

/** The pages after surgery: the overview, and a survey, which is fetched when it is first opened. */
export function EpisodePages({ path, go }: EpisodePagesProps) {
  const route = parseEpisodePath(path);
  if (!route) return null;
  const { token, survey } = route;
  return (
    <EpisodePage
      key={token}
      token={token}
      survey={
        survey &&
        ((episode) => (
          <SurveyPage
            key={survey.surveyId}
            token={token}
            {...survey}
            episode={episode}
            go={go}
            onHome={() => go(episodeAddress(token))}
          />
        ))
      }
      onSurvey={(surveyId) => go(surveyAddress(token, surveyId))}
    />
  );
}
