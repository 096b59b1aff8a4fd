/** What the payment provider puts into the address of the return page. None of it is trusted. */
export interface ReturnSearch {
  expired?: string;
  identityId?: string;
  state?: string;
}

export function readReturnSearch(search: Record<string, unknown>): ReturnSearch {
  const text = (name: keyof ReturnSearch) => (typeof search[name] === 'string' ? { [name]: search[name] } : {});
  return { ...text('expired'), ...text('identityId'), ...text('state') };
}

/** `expired=` with anything but a no. */
export const isExpired = ({ expired }: ReturnSearch) => expired !== undefined && !['', 'false', '0'].includes(expired);
