/** Identifies one form of a visit. */
export interface FormKey {
  token: string;
  memberId: string;
  formType: string;
}

/** Which form an address shows, and where in it: step `3` is its third page, `review` its answers, null its beginning. */
export interface FormRoute {
  memberId: string;
  formType: string;
  step: string | null;
}

/** Reads `/visit/{token}/forms/{member}/{form}` and what is below it; null for every other address. */
export function parseFormPath(path: string): FormRoute | null {
  const match = /^\/visit\/[^/]+\/forms\/([0-9a-f-]{36})\/([a-z0-9-]{1,64})(?:\/([a-z0-9]+))?\/?$/.exec(path);
  const [, memberId, formType, step = null] = match ?? [];
  return memberId === undefined || formType === undefined ? null : { memberId, formType, step };
}

export function formAddress(
  token: string,
  { memberId, formType }: Pick<FormRoute, 'memberId' | 'formType'>,
  step?: number | 'review',
): string {
  return `/visit/${token}/forms/${memberId}/${formType}${step === undefined ? '' : `/${step}`}`;
}

/** `/visit/{token}/forms/share`: the links by which forms of the visit are shared. */
export const shareAddress = (token: string) => `/visit/${token}/forms/share`;
export const isSharePath = (path: string) => /\/forms\/share\/?$/.test(path);

/** Shows another address of the phone without loading the page anew; `replace` leaves no history entry for the one before. */
export type NavigateToForm = (path: string, options?: { replace?: boolean }) => void;
