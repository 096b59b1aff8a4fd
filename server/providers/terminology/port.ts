/** One answer of a value set, in FHIR's own words. */
export interface ListedConcept {
  system?: string;
  code: string;
  display?: string;
  designation?: { language: string; value: string }[];
  extension?: { url: string; valueDecimal: number }[];
}

/** There is no list: the server did not answer, or it has no complete list of that value set. */
export class NoList extends Error {
  override readonly name = 'NoList';
  readonly reason: 'not reached' | 'not listed';
  constructor(reason: 'not reached' | 'not listed') {
    super(`no list of answers: ${reason}`);
    this.reason = reason;
  }
}

/** Expands value sets that a questionnaire names and does not contain. */
export interface Terminology {
  readonly name: string;
  /**
   * All answers of a value set, by its canonical address (`url` or `url|version`). Throws `NoList`. `beforeCall` is awaited before the
   * vendor is called, not if the list is cached; what it throws prevents the call and is thrown.
   */
  expand(reference: string, beforeCall: () => Promise<void>): Promise<ListedConcept[]>;
}

/** Calls the vendor, each time. */
export type ExpandCall = (reference: string) => Promise<ListedConcept[]>;
