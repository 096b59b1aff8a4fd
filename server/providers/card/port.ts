/** What we need from whoever charges cards for subscriptions. */
export interface Card {
  /** Which provider it is (`{card}` in the paths); `local` is the stand-in. */
  readonly name: string;
  /** Makes an office a customer; the same office again is the same customer. Answers the provider's id of it. */
  createCustomer(office: { officeId: string; name: string }): Promise<string>;
}
