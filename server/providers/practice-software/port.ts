/** One amount to record: the copay of an appointment, or a payment toward the patient's claims. */
export interface PaymentToRecord {
  /** The practice, by its NPI. */
  practice: string;
  department: string;
  patient: { userCode: string; name: string };
  appointment: { reference: string; day: string };
  part: 'copay' | 'claims';
  amountCents: number;
  card: { brand: string; last4: string | null };
  /** Our payment, for the people who compare both books. */
  note: string;
  signal?: AbortSignal;
}

/** The practice software surely did not record it. `problem` is a word or two for the log: never a name. */
export class RecordingRefused extends Error {
  override readonly name = 'RecordingRefused';
  readonly problem: string;
  constructor(problem: string) {
    super(`the practice software refused: ${problem}`);
    this.problem = problem.slice(0, 100);
  }
}

/** No answer, or none that says whether it was recorded. A person has to look; it is never sent again blindly. */
export class RecordingUnknown extends Error {
  override readonly name = 'RecordingUnknown';
}

/** What we need from the software in which a practice keeps its books. Not idempotent: each call that succeeds records once more. */
export interface PracticeSoftware {
  readonly name: string;
  record(payment: PaymentToRecord): Promise<{ recordId: string }>;
}
