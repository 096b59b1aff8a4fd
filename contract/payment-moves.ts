/** The life cycles of money: of a payment, of a refund, and of a payment's entry in the practice software. */

/** `REQUESTED`: the patient has not paid yet. Other programs, and the screens of the desk, see it as `PENDING`. */
export const paymentStates = ['REQUESTED', 'PENDING', 'SUCCEEDED', 'CANCELLED', 'FAILED', 'UNKNOWN'] as const;
export type PaymentState = (typeof paymentStates)[number];

interface PaymentRule {
  /** Who makes it: the patient, the desk, the payment provider's answer, or our own check for lost answers. */
  by: 'patient' | 'staff' | 'provider' | 'check';
  from: readonly PaymentState[];
  to: PaymentState;
}

/** The allowed moves of a payment. The provider is right about money: a transfer it reports late makes even a failed or canceled one succeed. */
export const paymentMoves = {
  pay: { by: 'patient', from: ['REQUESTED'], to: 'PENDING' },
  succeed: { by: 'provider', from: ['PENDING', 'UNKNOWN', 'FAILED', 'CANCELLED'], to: 'SUCCEEDED' },
  fail: { by: 'provider', from: ['PENDING', 'UNKNOWN'], to: 'FAILED' },
  cancel: { by: 'provider', from: ['PENDING', 'UNKNOWN'], to: 'CANCELLED' },
  find: { by: 'check', from: ['UNKNOWN'], to: 'PENDING' },
  loseTrack: { by: 'check', from: ['PENDING'], to: 'UNKNOWN' },
  /** An earlier try turned out to be charged before this one was sent. */
  stop: { by: 'check', from: ['PENDING'], to: 'CANCELLED' },
  withdraw: { by: 'staff', from: ['REQUESTED', 'FAILED'], to: 'CANCELLED' },
  void: { by: 'provider', from: ['SUCCEEDED'], to: 'CANCELLED' },
  confirmCharged: { by: 'staff', from: ['UNKNOWN'], to: 'SUCCEEDED' },
  confirmNotCharged: { by: 'staff', from: ['UNKNOWN'], to: 'FAILED' },
} as const satisfies Record<string, PaymentRule>;
export type PaymentMove = keyof typeof paymentMoves;

/** Whether a payment in this state may make this move. */
export function mayMovePayment(state: PaymentState, move: PaymentMove): boolean {
  return (paymentMoves[move].from as readonly PaymentState[]).includes(state);
}

export const refundStates = ['PENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN'] as const;
type RefundState = (typeof refundStates)[number];

interface RefundRule {
  by: 'staff' | 'provider' | 'check';
  from: readonly RefundState[];
  to: RefundState;
}

/** The allowed moves of a refund. The provider is right about money: one that a person called failed still succeeds if it does there. */
export const refundMoves = {
  succeed: { by: 'provider', from: ['PENDING', 'UNKNOWN', 'FAILED'], to: 'SUCCEEDED' },
  fail: { by: 'provider', from: ['PENDING', 'UNKNOWN'], to: 'FAILED' },
  /** The provider has it and has not decided. */
  find: { by: 'provider', from: ['PENDING', 'UNKNOWN'], to: 'PENDING' },
  loseTrack: { by: 'check', from: ['PENDING', 'UNKNOWN'], to: 'UNKNOWN' },
  confirmRefunded: { by: 'staff', from: ['UNKNOWN'], to: 'SUCCEEDED' },
  confirmNotRefunded: { by: 'staff', from: ['UNKNOWN'], to: 'FAILED' },
  /** A person called it refunded, and the provider says that it failed. */
  takeBack: { by: 'staff', from: ['SUCCEEDED'], to: 'FAILED' },
} as const satisfies Record<string, RefundRule>;
export type RefundMove = keyof typeof refundMoves;

/** Whether a refund in this state may make this move. */
export function mayMoveRefund(state: RefundState, move: RefundMove): boolean {
  return (refundMoves[move].from as readonly RefundState[]).includes(state);
}

/** `sending`: a call has claimed it. `refused`: by the practice software. `dropped`: refunded before it was recorded. */
export type RecordingState = 'due' | 'sending' | 'recorded' | 'refused' | 'unknown' | 'dropped';

interface RecordingRule {
  by: 'staff' | 'software' | 'check';
  from: readonly RecordingState[];
  to: RecordingState;
}

const notRecorded = ['due', 'sending', 'refused', 'unknown', 'dropped'] as const satisfies readonly RecordingState[];

/**
 * The allowed moves of one part of a payment on its way into the practice software. What the software itself says counts, even if a person
 * has said something else meanwhile; but nothing undoes `recorded`.
 */
export const recordingMoves = {
  claim: { by: 'check', from: ['due'], to: 'sending' },
  record: { by: 'software', from: notRecorded, to: 'recorded' },
  refuse: { by: 'software', from: notRecorded, to: 'refused' },
  loseTrack: { by: 'check', from: notRecorded, to: 'unknown' },
  retry: { by: 'staff', from: ['refused', 'due'], to: 'due' },
  drop: { by: 'check', from: ['due', 'refused'], to: 'dropped' },
  /** The refund that it was dropped for was taken back. */
  takeUp: { by: 'check', from: ['dropped'], to: 'due' },
  confirmRecorded: { by: 'staff', from: ['unknown', 'refused'], to: 'recorded' },
  confirmMissing: { by: 'staff', from: ['unknown', 'refused'], to: 'due' },
} as const satisfies Record<string, RecordingRule>;
export type RecordingMove = keyof typeof recordingMoves;

/** Whether a part in this state may make this move. */
export function mayMoveRecording(state: RecordingState, move: RecordingMove): boolean {
  return (recordingMoves[move].from as readonly RecordingState[]).includes(state);
}
