import type { VisitMessage } from '#contract/queue.ts';

/** A text to be put into the ledger. */
export interface NewText {
  /** `notice`: an answer the carrier's rules ask for; it also goes to a number that opted out. */
  kind: VisitMessage['kind'] | 'notice';
  visitId: string | null;
  patientId: string | null;
  toPhone: string;
  /** With a `link`, the last `{link}` in it stands for that. */
  body: string;
  /** Kept encrypted while the text may still leave, then dropped; the stored body never holds it. */
  link?: string;
  /** Somebody of the practice wrote it, or part of it: not the product's own wording. */
  ownWords?: boolean;
  sendAt?: Date;
}
