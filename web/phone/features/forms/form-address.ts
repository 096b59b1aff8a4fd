/** Where a form stands: whose it is, which, and where in it (`3` is its third page, `review` its answers, none its beginning). */
export interface FormPlace {
  memberId: string;
  formType: string;
  at: string | null;
}

/** `/visit/{token}/forms/{member}/{form}` and what is below it; null for every other address. */
export function formPlaceOf(path: string): FormPlace | null {
  const found = /^\/visit\/[^/]+\/forms\/([0-9a-f-]{36})\/([a-z0-9-]{1,64})(?:\/([a-z0-9]+))?\/?$/.exec(path);
  const [, memberId, formType, at = null] = found ?? [];
  return memberId === undefined || formType === undefined ? null : { memberId, formType, at };
}

export function formAddress(
  token: string,
  { memberId, formType }: Pick<FormPlace, 'memberId' | 'formType'>,
  at?: number | 'review',
): string {
  return `/visit/${token}/forms/${memberId}/${formType}${at === undefined ? '' : `/${at}`}`;
}

/** `/visit/{token}/forms/share`: the links by which forms of the visit are shared. */
export const shareAddress = (token: string) => `/visit/${token}/forms/share`;
export const isShareAddress = (path: string) => /\/forms\/share\/?$/.test(path);

/** Leads to another address of this page; `replace` leaves no way back to the one before. */
export type Go = (path: string, options?: { replace?: boolean }) => void;
