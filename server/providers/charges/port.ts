export type TransferKind = 'charge' | 'reversal';

/** Money at the payment provider, as it is now. */
export interface Transfer {
  transferId: string;
  /** Whether it takes money or gives it back; null if the provider does not say. */
  kind: TransferKind | null;
  /** Our operation id; null if the provider's answer does not name one. */
  reference: string | null;
  /** The transfer that it gives back; null if it gives none back, or the answer does not say. */
  reverses?: string | null;
  state: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'UNKNOWN';
  amountCents: number;
  card: { brand: string; last4: string } | null;
  /** Why it failed, in the provider's terms; at most 100 characters. */
  failure: string | null;
}

/** A bank asks for the money of a charge back, because its customer disputes it. */
export interface Dispute {
  id: string;
  /** In the provider's terms; `WON` and `LOST` are the end. */
  state: string;
  amountCents: number;
}

/** What a callback is about; a hint to look. */
export interface ChargesEvent {
  /** Our operation; null for a transfer that we did not make, and for disputes. */
  reference: string | null;
  /** The provider's transfer, of a dispute the charge; null if the callback names none. */
  transferId: string | null;
  dispute: Dispute | null;
}

/** A request to our callback route. */
export interface ChargesCall {
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
}

/** The provider surely did not do it. */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';
  readonly reason: string;
  /** The bank was asked and said no, so another card may help; else it was never asked. */
  readonly isDeclined: boolean;
  constructor(reason: string, isDeclined = false) {
    super(`the payment provider refused: ${reason}`);
    this.reason = reason.slice(0, 100);
    this.isDeclined = isDeclined;
  }
}

/** No answer, or none that says what happened: look the operation up by its reference before anything else. */
export class ChargesUnavailable extends Error {
  override readonly name = 'ChargesUnavailable';
}

/** Thrown by `readCallback` if the call is not the provider's, was tampered with or is too old. */
export class ChargesSignatureInvalid extends Error {
  override readonly name = 'ChargesSignatureInvalid';
}

/** What we need from the provider that charges patients' cards for a practice. Amounts are in cents. */
export interface Charges {
  /** Part of the callback's path: lowercase letters and dashes. `local` is the stand-in. */
  readonly name: string;
  /** A new card form, to be shown in a frame on the patient's page. It shows the amount; what is charged is decided by `charge`. */
  openCardForm(form: { merchant: string; amountCents: number; language: 'en' | 'es' }): Promise<{ url: string }>;
  /** Charges a card. `reference` is our operation id: repeating the call with it moves the money once. */
  charge(order: {
    reference: string;
    merchant: string;
    amountCents: number;
    source: string;
    /**
     * Saves what a repeated call needs instead of the token, which works once. The provider calls it before the call that moves money, so a repeat
     * that still has the token knows that nothing was charged.
     */
    saveSource?: (source: string) => Promise<void>;
    signal?: AbortSignal;
  }): Promise<Transfer>;
  /** Gives a transfer back, all or part of it. `reference` as above. */
  reverse(order: {
    reference: string;
    merchant: string;
    transferId: string;
    amountCents: number;
    signal?: AbortSignal;
  }): Promise<Transfer>;
  /** The operation with this reference; null if the provider surely has none. Throws ChargesUnavailable if it cannot tell. */
  find(reference: string): Promise<Transfer | null>;
  /** A transfer by the provider's own number; null if there is none. Throws ChargesUnavailable if it cannot tell. */
  read(transferId: string): Promise<Transfer | null>;
  /** Verifies a callback (throws ChargesSignatureInvalid) and returns what it is about; null for events about something else. */
  readCallback(call: ChargesCall): Promise<ChargesEvent | null>;
  /** The provider's own page about a merchant's transfers; null without one. */
  dashboardUrl(merchant: string): string | null;
}
