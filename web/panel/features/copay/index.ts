export { parseDollars, toDollars } from './dollars.ts';
export { PaymentButton } from './payment-button.tsx';
export { PaymentDetails } from './payment-details.tsx';
export { PaymentStatus } from './payment-status.tsx';
export { useRecordingProblem } from './recording-problem.ts';
