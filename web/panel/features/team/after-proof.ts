/** Runs a change, after an identity check if none is recent. */
export type RunAfterIdentityCheck = (change: () => void) => void;
