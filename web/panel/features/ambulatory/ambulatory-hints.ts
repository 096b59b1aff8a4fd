/** Hints after which callbacks look different. */
export const changesCallbacks = (type: string): boolean => ['callback', 'opened', 'refetch'].includes(type);

/** Hints after which patients after surgery look different: answers, consent, invites, notes, callbacks. */
export const changesPatients = (type: string): boolean => type === 'ambu' || changesCallbacks(type);
