/** Thrown by `send` when the mail was not taken; `permanent` when it never will be. */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
  readonly permanent: boolean;
  constructor(permanent: boolean) {
    super(permanent ? 'email refused' : 'email refused for now');
    this.permanent = permanent;
  }
}

/** What we need from whoever carries our email. */
export interface Email {
  /** Which carrier it is; `local` is the stand-in. */
  readonly name: string;
  /** Hands one mail over; `reference` makes a retry recognisable. Throws EmailRefused when it was not taken. */
  send(mail: { to: string; subject: string; text: string; reference: string }): Promise<void>;
}
