/** What we need from the provider that charges cards for subscriptions. */
export interface Card {
  /** The provider's name (`{card}` in the paths); `local` is the stand-in. */
  readonly name: string;
  /** Makes an office a customer and returns the provider's id; the same office is always the same customer. */
  createCustomer(office: { officeId: string; name: string }): Promise<string>;
}
