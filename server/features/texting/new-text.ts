import type { TextKind } from '#contract/queue.ts';

/** A text for the ledger. */
export interface NewText {
  /** `notice`: an answer that carriers require; it is sent even to a number that opted out. */
  kind: TextKind;
  visitId: string | null;
  patientId: string | null;
  toPhone: string;
  /** If there is a `link`, it replaces the last `{link}` in the body. */
  body: string;
  /** Stored encrypted until the text is sent, then deleted; never stored in the body. */
  link?: string;
  /** Somebody of the practice wrote at least part of it. */
  isCustom?: boolean;
  /** Beyond a limit it is held and shown instead of refused, because what it tells has happened anyway. */
  heldAtLimit?: boolean;
  sendAt?: Date;
  /** If it is late into quiet hours, it is held: by the next morning it is of no use. */
  daytimeOnly?: boolean;
}
