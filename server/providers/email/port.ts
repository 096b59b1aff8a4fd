/** What we need from whoever carries our email. */
export interface Email {
  /** Hands one mail over; `reference` makes a retry recognisable. Throws when it was not taken. */
  send(mail: { to: string; subject: string; text: string; reference: string }): Promise<void>;
}
