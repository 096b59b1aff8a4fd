/** What must match when the browser comes back; ours alone to know until then. */
export interface Checks {
  state: string;
  nonce: string;
  /** PKCE: proves that who started is who finishes. */
  verifier: string;
}

/** Whom Google says it is; `issuer` and `subject` together never change, the address may. */
export interface GoogleAccount {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
}

/** Thrown when nobody was signed in: the person said no, what came back was not right, or Google was not there. */
export class GoogleRefused extends Error {
  override readonly name = 'GoogleRefused';
  readonly why: 'consent' | 'refused' | 'unavailable';
  constructor(why: GoogleRefused['why'], options?: ErrorOptions) {
    super(`Google: ${why}`, options);
    this.why = why;
  }
}

/** What we need from who vouches for a Google account. */
export interface Google {
  /** `local` is the stand-in. */
  readonly name: 'google' | 'local';
  /** Where to send the browser, and what must match when it comes back. Throws GoogleRefused. */
  begin(): Promise<{ url: string; checks: Checks }>;
  /** Who came back, by the query of the address. Throws GoogleRefused. */
  finish(search: string, checks: Checks): Promise<GoogleAccount>;
}
