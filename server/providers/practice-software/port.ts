/** One amount to record: the copay of an appointment, or a payment toward the patient's claims. */
export interface PaymentToRecord {
  /** The practice, by its NPI. */
  practice: string;
  /** The practice, by its number in this software; null if nobody has told it. */
  practiceNumber: string | null;
  department: string;
  /** `number`: the patient's in this software; null if nobody has told it. */
  patient: { userCode: string; name: string; number: string | null };
  appointment: { reference: string; day: string };
  part: 'copay' | 'claims';
  amountCents: number;
  card: { brand: string; last4: string | null };
  /** Our payment, for the people who compare both books. */
  note: string;
  /** After it ends, nothing may be sent any more. A request that has been sent has a time limit of its own. */
  signal?: AbortSignal;
}

/** The practice software surely did not record it. `problem` is a word or two for the log: never a name. */
export class RecordingRefused extends Error {
  override readonly name = 'RecordingRefused';
  readonly problem: string;
  /** It was reached; else the next one will not reach it either. */
  readonly isReached: boolean;
  constructor(problem: string, isReached = true) {
    super(`the practice software refused: ${problem}`);
    this.problem = problem.slice(0, 100);
    this.isReached = isReached;
  }
}

/** No answer, or none that says whether it was recorded. A person has to look; it is never sent again blindly. */
export class RecordingUnknown extends Error {
  override readonly name = 'RecordingUnknown';
}

/** What we need from the software in which a practice keeps its books. Not idempotent: each call that succeeds records once more. */
export interface PracticeSoftware {
  readonly name: string;
  /** The names of a practice's payment methods for cards: a call that only reads, to try a connection. */
  cardMethods(practiceNumber: string): Promise<string[]>;
  /** `recordId`: the software's number of it; null if it names none. */
  record(payment: PaymentToRecord): Promise<{ recordId: string | null }>;
}
