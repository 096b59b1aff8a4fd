import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Advice, Episode } from '#contract/ambulatory/episode.ts';
import { AlertCircleIcon } from '#web/icons/alert-circle.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import form from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { CallOffice } from './call-office.tsx';
import notice from '#web/phone/ui/notice.module.css';
import { useFiledSurvey } from './filed-surveys.ts';
import { WhatToDo } from './what-to-do.tsx';

interface SurveyDoneProps {
  episode: Episode;
  surveyId: string;
  onHome: () => void;
}

/** The survey is filed. After a warning sign, first of all what to do now. */
export function SurveyDone({ episode, surveyId, onHome }: SurveyDoneProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const filed = useFiledSurvey(surveyId);
  const known = episode.surveys.find(({ id }) => id === surveyId)?.advice;
  const advice = filed?.advice ?? known ?? 'none';
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const titles: Record<Advice, string> = {
    none: t`Thank you`,
    'call-office': t`Please call the office now`,
    'call-911': t`Call 911 now`,
  };
  return (
    <div className={form.done}>
      <span className={`${notice.mark} ${advice === 'none' ? notice.green : notice.red}`}>
        {advice === 'none' ? <CheckIcon size={40} /> : <AlertCircleIcon size={40} />}
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {titles[advice]}
      </h1>
      {advice !== 'none' && <WhatToDo advice={advice} officePhone={episode.officePhone} />}
      {/* After a warning sign nothing may sound like "wait for our call": a nurse is always told then. */}
      <p>{advice === 'none' ? t`We received your answers.` : t`We also sent your answers to our nurses.`}</p>
      {advice === 'none' && filed?.callback && (
        <p>{t`A nurse will call you. If it gets worse before that, do not wait: call the office.`}</p>
      )}
      {advice === 'none' && <CallOffice phone={episode.officePhone} />}
      <button type="button" className={advice === 'none' ? buttons.main : buttons.plain} onClick={onHome}>
        {t`Done`}
      </button>
    </div>
  );
}
