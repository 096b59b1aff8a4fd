/** What must match when the browser returns; secret until then. */
export interface Checks {
  state: string;
  nonce: string;
  /** PKCE: proves that the same browser started and finished. */
  verifier: string;
}

/** The account Google vouches for. `issuer` and `subject` together never change; the email address may. */
export interface GoogleAccount {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
}

/** Thrown if nobody was signed in: the person declined, the response was invalid, or Google was unreachable. */
export class GoogleRefused extends Error {
  override readonly name = 'GoogleRefused';
  readonly why: 'consent' | 'refused' | 'unavailable';
  constructor(why: GoogleRefused['why'], options?: ErrorOptions) {
    super(`Google: ${why}`, options);
    this.why = why;
  }
}

/** What we need from Google sign-in. */
export interface Google {
  /** `local` is the stand-in. */
  readonly name: 'google' | 'local';
  /** The URL to send the browser to, and what must match when it returns. Throws GoogleRefused. */
  begin(): Promise<{ url: string; checks: Checks }>;
  /** The account that signed in, from the redirect's query. Throws GoogleRefused. */
  finish(search: string, checks: Checks): Promise<GoogleAccount>;
}
