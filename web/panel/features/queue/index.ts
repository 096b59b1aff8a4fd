export { TextDeliveryStatus } from './conversation.tsx';
export { PatientBirthday, PatientName, PatientPhone, useShownPhone } from './privacy.tsx';
export { dayOf, daysFrom, weekdayOf } from './office-day.ts';
export { textErrorAdvice, textErrorReason } from './text-error-messages.ts';
export { TextNewPatient } from './text-new-patient.tsx';
export { expectedKey, useRemoveExpected, useResend } from './use-expected.ts';
export { useTextOutcome } from './use-text-outcome.ts';
export { VisitStatusBadge } from './visit-status.tsx';
