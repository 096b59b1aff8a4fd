import type { FormIndicator, QueueEntry } from '#contract/queue.ts';

let made = 0;

/** A visit for tests: WAITING since 8:00, no family. Override only what the test needs. */
export function sampleVisit(given: Partial<QueueEntry> = {}): QueueEntry {
  made += 1;
  const createdAt = given.createdAt ?? '2026-03-02T13:00:00.000Z';
  const patientName = given.patientName ?? 'Grace Whitfield';
  return {
    id: `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    version: 1,
    npi: '1234567893',
    patient: patientName,
    patientUserCode: 'code',
    patientName,
    username: '+12125550123',
    statusCode: 'WAITING',
    statusBefore: null,
    createdAt,
    statusAt: createdAt,
    invitedAt: null,
    endedAt: null,
    endReason: null,
    endNote: null,
    actedBy: { kind: 'patient', name: null },
    autoInviteAt: null,
    stillWaitingAt: null,
    language: 'en',
    activePatients: [{ name: patientName, birthDate: '2019-02-09' }],
    messageCount: 0,
    lastMessageState: null,
    lastTextId: null,
    lastTextProblem: null,
    lastTextLimitedUntil: null,
    textBlock: null,
    unreadMessages: 0,
    unreadText: null,
    forms: [],
    covid: false,
    patientCovidWarning: false,
    updateRequired: false,
    device: { notificationsEnabled: true },
    paymentResponse: null,
    ...given,
  };
}

/** A form's readiness for tests: a depression screening that is complete. */
export const sampleForm = (given: Partial<FormIndicator> = {}): FormIndicator => ({
  indicator: 'phq-9',
  formName: 'Mood check',
  visibleName: { en: 'Mood check', es: 'Estado de ánimo' },
  complete: true,
  incomplete: false,
  enablePendingIndicator: false,
  incompleteMessage: '',
  completeMessage: 'Complete',
  needed: 1,
  done: 1,
  started: 0,
  missing: [],
  outcome: null,
  ...given,
});
