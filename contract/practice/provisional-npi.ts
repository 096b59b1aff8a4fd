/** Whether this number is a substitute for an NPI. Numbers beginning with 9 are never issued. */
export const isProvisional = (npi: string) => npi.startsWith('9');

/** The NPI as it is shown: a substitute is marked with `provisional`, the word in the reader's language. */
export const markedNpi = (npi: string, provisional: string) => (isProvisional(npi) ? `${npi} (${provisional})` : npi);
