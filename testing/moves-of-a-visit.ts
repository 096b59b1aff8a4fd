import type { VisitStatus } from '#contract/queue.ts';

/** The moves of a visit as they were settled, written down a second time: what the contract's table is compared with. */
export const settledMoves: Record<string, Partial<Record<VisitStatus, VisitStatus | 'the state it had'>>> = {
  arrive: { EXPECTED: 'WAITING' },
  invite: { WAITING: 'INVITED' },
  reinvite: { INVITED: 'REINVITED', REINVITED: 'REINVITED' },
  remind: { GOING: 'GOING' },
  onMyWay: { INVITED: 'GOING', REINVITED: 'GOING' },
  imIn: { INVITED: 'PATIENT_DONE', REINVITED: 'PATIENT_DONE', GOING: 'PATIENT_DONE' },
  cancel: {
    EXPECTED: 'PATIENT_CANCELLED',
    WAITING: 'PATIENT_CANCELLED',
    INVITED: 'PATIENT_CANCELLED',
    REINVITED: 'PATIENT_CANCELLED',
    GOING: 'PATIENT_CANCELLED',
  },
  finish: { INVITED: 'DOCTOR_CANCELLED', REINVITED: 'DOCTOR_CANCELLED', GOING: 'DOCTOR_CANCELLED' },
  remove: { WAITING: 'DOCTOR_CANCELLED', EXPECTED: 'DOCTOR_CANCELLED' },
  moveBack: { DOCTOR_CANCELLED: 'the state it had' },
};

/** The moves that text the patient. */
export const settledTexts = ['invite', 'reinvite', 'remind'];
