import type { MembershipStatus } from '#contract/membership.ts';

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

/** Thrown by `readCallback` if the call is not the provider's, was tampered with or is too old. */
export class CardSignatureInvalid extends Error {
  override readonly name = 'CardSignatureInvalid';
}

/** What a subscription is for: a price per provider and month, and the number of providers. */
export interface CardPlan {
  priceId: string;
  quantity: number;
}

/** A subscription as the provider has it now. */
export interface CardSubscription extends CardPlan {
  subscriptionId: string;
  customerId: string;
  status: MembershipStatus;
  /** The provider's id of what is sold. */
  productId: string;
  unitCents: number;
  trialEnd: Date | null;
  /** The end of the paid period, or of the trial. */
  periodEnd: Date;
  /** It ends at `cancelAt` instead of renewing. */
  cancelAtPeriodEnd: boolean;
  cancelAt: Date | null;
  /** What it changes to at `periodEnd`; null if nothing changes. */
  next: CardPlan | null;
}

/** The card on file, for display. There is never more of its number than the last four digits. */
export interface CardOnFile {
  id: string;
  name: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

/** A customer with its subscription (the running one, else the last) and the card that is charged. */
export interface CardCustomer {
  customerId: string;
  /** Our office, as passed to `createCustomer`. */
  officeId: string | null;
  card: CardOnFile | null;
  subscription: CardSubscription | null;
}

export interface CardPrice {
  priceId: string;
  productId: string;
  /** For one provider and one month. */
  unitCents: number;
}

export interface InvoiceLine {
  text: { kind: 'credit' | 'charge' | 'period'; productId: string; quantity: number; from: string; to: string };
  cents: number;
}

export type InvoiceStatus = 'paid' | 'open' | 'void' | 'uncollectible';

export interface CardInvoice {
  invoiceId: string;
  /** The number printed on the invoice. */
  number: string;
  at: Date;
  status: InvoiceStatus;
  totalCents: number;
}

/** What a change of plan costs now: a negative line is a credit for the time left on the old plan. */
export interface CardPreview {
  dueCents: number;
  creditCents: number;
  chargeCents: number;
}

/** An event from a callback: only a hint to look at the customer. Nothing in it is trusted. */
export interface CardEvent {
  /** A repeated event has the same key. At most 200 characters. */
  key: string;
  /** What happened, in the provider's term. At most 60 characters. */
  type: string;
  /** Null for events about no customer. */
  customerId: string | null;
}

/**
 * What we need from the provider that charges cards for subscriptions. Every call that changes something takes `operationId`, the idempotency
 * key: repeating a call with the same id and input does nothing new and returns the same. All of them throw CardRefused if the provider
 * definitely did not do it.
 */
export interface Card {
  /** The provider's name (`{card}` in the paths); `local` is the stand-in. */
  readonly name: string;
  /**
   * The path of the page where a card is entered, shown in a frame: the card's number goes from there to the provider and never to our
   * server. It sends its parent a token (contract/membership.ts). Null if no card can be entered.
   */
  readonly cardPage: string | null;
  /** The prices of an office whose own are not set, in the order Pilot, Lite, Prime; null if there are none. */
  readonly defaultPrices: { pilot: string; lite: string; prime: string } | null;

  /** Makes an office a customer and returns the provider's id. */
  createCustomer(office: { operationId: string; officeId: string; name: string }): Promise<string>;
  /** The customer as it is now: the only thing we act on. Null if the provider has none, or has deleted it. */
  readCustomer(customerId: string): Promise<CardCustomer | null>;
  /** The prices with these ids, in the same order; null for an id the provider does not have. */
  readPrices(priceIds: readonly string[]): Promise<(CardPrice | null)[]>;

  /** Starts a subscription. Charges the card on file unless the trial comes first; a declined first charge leaves it `incomplete`. */
  start(order: CardPlan & { operationId: string; customerId: string; trialDays: number }): Promise<void>;
  /**
   * Changes the plan at once and charges the difference for the time left. A declined charge leaves the old plan and throws 'declined'.
   * `planned` is what the plan was to change to, as the choice saw it: it stays so if this is refused.
   */
  upgrade(order: CardPlan & { operationId: string; subscriptionId: string; planned: CardPlan | null }): Promise<void>;
  /** Changes the plan at the end of the period; during a trial at once. Replaces an earlier one; the current plan takes it back. */
  changeAtPeriodEnd(order: CardPlan & { operationId: string; subscriptionId: string }): Promise<void>;
  /** Ends the subscription at the end of the period; at once if nothing of it is paid, with what is due for it. `planned` as above. */
  cancel(order: { operationId: string; subscriptionId: string; planned: CardPlan | null }): Promise<void>;
  /** Takes `cancel` back. A paused subscription is charged now and begins a new period. */
  reactivate(order: { operationId: string; subscriptionId: string }): Promise<void>;
  /** What `upgrade` would charge now. */
  previewUpgrade(order: CardPlan & { subscriptionId: string }): Promise<CardPreview>;

  /** Makes a card the one that is charged, and pays what is due with it. `token` stands for a card that the browser gave the provider. */
  saveCard(order: { operationId: string; customerId: string; token: string; name: string }): Promise<void>;

  /** The invoices of a customer, newest first; at most 100. */
  listInvoices(customerId: string): Promise<CardInvoice[]>;
  /** An invoice of this customer as a PDF; null if it has none with this id. */
  invoicePdf(customerId: string, invoiceId: string, timeZone: string): Promise<Buffer | null>;

  /** Verifies a callback (throws CardSignatureInvalid); null for events we ignore. */
  readCallback(call: { headers: Record<string, string | string[] | undefined>; rawBody: Buffer }): CardEvent | null;
}
