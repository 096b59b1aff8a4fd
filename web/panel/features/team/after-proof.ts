/** Runs a change at once, or after the person has confirmed that it is them. */
export type RunAfterIdentityCheck = (change: () => void) => void;
