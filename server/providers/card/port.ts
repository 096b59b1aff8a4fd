/** Why the card provider did not do something. */
export type CardReason =
  /** The bank refused the card, or there is none. */
  'declined' | 'not-found' | 'conflict' | 'rate' | 'invalid' | 'unauthorized' | 'unreachable' | 'other';

/** Thrown if the provider definitely did not do it. A call whose outcome is unclear (a timeout) throws another error. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused';
  readonly reason: CardReason;
  constructor(reason: CardReason) {
    super(`card provider refused: ${reason}`);
    this.reason = reason;
  }
}

/**
 * What we need from the provider that charges cards for subscriptions. Every call that changes something takes `operationId`, the idempotency
 * key: repeating a call with the same id and input does nothing new and returns the same.
 */
export interface Card {
  /** The provider's name (`{card}` in the paths); `local` is the stand-in. */
  readonly name: string;
  /** Makes an office a customer and returns the provider's id. */
  createCustomer(office: { operationId: string; officeId: string; name: string }): Promise<string>;
}
