import type { Language } from '#contract/shapes.ts';

/** Thrown by `send` if the email was definitely not accepted; `permanent` if it never will be (no such mailbox). */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
  readonly permanent: boolean;
  constructor(permanent: boolean) {
    super(permanent ? 'email refused' : 'email refused for now');
    this.permanent = permanent;
  }
}

export interface Mail {
  to: string;
  subject: string;
  /** Paragraphs separated by empty lines; page URLs become links in the HTML part. */
  text: string;
  /** Identifies the email: one reference per recipient is one email, and a mailbox shows it once. */
  reference: string;
  /** The language of `text`; English by default. */
  language?: Language;
  /** Reply-To, if not the installation's own address. */
  replyTo?: string;
  /** The practice it is about but did not send: an agreement reminder, a request to join. */
  aboutOffice?: string;
  /** Already counted before it was written (an invitation), or limited elsewhere (a code). */
  isCounted?: true;
}

/** What we need from an email carrier. */
export interface Email {
  /** The carrier's name; `local` is the stand-in. */
  readonly name: string;
  /**
   * Sends one email, with retries for some seconds; `signal` stops the waiting, not the email. Throws EmailRefused if it was definitely not
   * accepted, and any other error if its status is unknown.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** Closes the connections after the running sends. */
  close(): Promise<void>;
}
