export { raiseCallback } from './callbacks.ts';
export { lockInvitation, setEpisode } from './episode-sql.ts';
export { inviteOnce } from './invites.ts';
export { planOf } from './plan.ts';
export { submitSurvey } from './submit-survey.ts';
export { advanceEpisode } from './survey-job.ts';
export { setSurvey, surveysOf } from './survey-sql.ts';
