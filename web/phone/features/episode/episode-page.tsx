import { useLingui } from '@lingui/react/macro';
import { useEffect, type ReactNode } from 'react';
import { setEpisodeLanguage, type Episode } from '#contract/ambulatory/episode.ts';
import type { EndedLink } from '#contract/ended-link.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useConnection } from '#web/kit/connection.ts';
import { OfficeZone } from '#web/kit/format.tsx';
import type { Language } from '#web/kit/i18n.ts';
import { useFocusAfterRemoval } from '#web/kit/removed-focus.ts';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Frame } from '#web/phone/ui/frame.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';
import { OfflineBar } from '#web/phone/ui/offline-bar.tsx';
import { hasUnsaved } from '#web/phone/ui/unsaved.ts';
import { Consent } from './consent.tsx';
import { SurveysEnded } from './surveys-ended.tsx';
import { Today } from './today.tsx';
import { useEpisode } from './use-episode.ts';

interface EpisodePageProps {
  token: string;
  /** The survey that the address shows, in place of the overview. */
  survey: ((episode: Episode) => ReactNode) | null;
  onSurvey: (surveyId: string) => void;
}

/** `/episode/{token}`: consent, the survey of the day, and a nurse's call, until the surveys have ended. */
export function EpisodePage({ token, survey, onSurvey }: EpisodePageProps) {
  const { t } = useLingui();
  const { episode, gone, show, look } = useEpisode(token);
  const { lost } = useConnection();
  useFocusAfterRemoval();
  const officeName = episode?.officeName ?? '';
  const isOverview = survey === null;
  // After a survey, its answers may have changed what the page says.
  useEffect(() => {
    if (isOverview) look();
  }, [isOverview, look]);
  useEffect(() => {
    if (isOverview && officeName !== '') document.title = officeName;
  }, [isOverview, officeName]);

  if (gone) return <LinkEnded link={gone.link} />;
  if (!episode) return <Loading failed={lost} />;
  /** The page has switched already; the texts follow. */
  const chooseLanguage = (language: Language) => {
    if (episode.state !== 'active') return;
    call(setEpisodeLanguage, { params: { token }, body: { language } }).then(show, (error: unknown) => {
      if (!(error instanceof CallError)) throw error;
    });
  };
  const overview = () => {
    if (episode.state === 'pending') return <Consent token={token} episode={episode} onEpisode={show} />;
    if (episode.state === 'ended') return <SurveysEnded token={token} episode={episode} onEpisode={show} />;
    return <Today token={token} episode={episode} onSurvey={onSurvey} onEpisode={show} />;
  };
  return (
    <OfficeZone value={episode.timeZone}>
      <Frame officeName={episode.officeName} officePhone={episode.officePhone} onLanguage={chooseLanguage}>
        <OfflineBar kept={lost && hasUnsaved() ? t`Your answers are saved on this phone.` : ''} />
        {survey && episode.state === 'active' ? survey(episode) : overview()}
      </Frame>
    </OfficeZone>
  );
}

/** The link has expired, somebody ended it, or it never existed: then nobody knows whose it was. */
function LinkEnded({ link }: { link: EndedLink | undefined }) {
  const { t } = useLingui();
  const title = link?.hasExpired ? t`This link has expired` : t`This link no longer works`;
  return (
    <Frame officeName={link?.officeName} officePhone={link?.officePhone}>
      <Notice icon={WarningIcon} tone="amber" title={title}>
        <p>{t`Please open the link in the newest text from your care team, or call the office.`}</p>
        <p>{t`In an emergency, call 911.`}</p>
      </Notice>
    </Frame>
  );
}
