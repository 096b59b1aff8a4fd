/** Who works at the demo's Maple office. */
export const staff = { dana: 'front@maple.test', luis: 'luis@maple.test' } as const;

/** Where a signed-in browser's cookies are kept during a run. */
export const stateOf = (email: string): string => `test-results/staff/${email}.json`;
