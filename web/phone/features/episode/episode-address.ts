/** What an address of the pages after surgery shows: the overview, or a survey and where in it. */
export interface EpisodeRoute {
  token: string;
  survey: { surveyId: string; step: string | null } | null;
}

/** Reads `/episode/{token}` and `/episode/{token}/surveys/{survey}/{page}`; null for every other address. */
export function parseEpisodePath(path: string): EpisodeRoute | null {
  const match = /^\/episode\/([\w-]+)(?:\/surveys\/([\da-f-]{36})(?:\/([\da-z]+))?)?\/?$/.exec(path);
  const [, token, surveyId, step = null] = match ?? [];
  if (token === undefined) return null;
  return { token, survey: surveyId === undefined ? null : { surveyId, step } };
}

export const episodeAddress = (token: string) => `/episode/${token}`;
export const surveyAddress = (token: string, surveyId: string) => `/episode/${token}/surveys/${surveyId}`;
