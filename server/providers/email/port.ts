import type { Language } from '#contract/shapes.ts';

/** Thrown by `send` when the mail was surely not taken; `permanent` when it never will be (no such mailbox). */
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
  /** Paragraphs parted by empty lines; addresses of pages become links in the HTML that goes with it. */
  text: string;
  /** Which mail this is: the same reference to the same person is the same mail, and a mailbox shows it once. */
  reference: string;
  /** What `text` is written in; English when not said. */
  language?: Language;
  /** Where an answer goes, when not to the installation's own address. */
  replyTo?: string;
  /** The practice it is about, when not sent by it: a reminder, somebody who asks to join. */
  aboutOffice?: string;
  /** Counted already, before it was written (an invitation), or limited in another way (a code). */
  isCounted?: true;
}

/** What we need from whoever carries our email. */
export interface Email {
  /** Which carrier it is; `local` is the stand-in. */
  readonly name: string;
  /**
   * Hands one mail over, trying again by itself for some seconds; `signal` ends the waiting, not the mail. Throws EmailRefused when it
   * was surely not taken, anything else when its fate is unknown.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** Lets go of the connections; what is being handed over is finished first. */
  close(): Promise<void>;
}
