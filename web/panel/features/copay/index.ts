export { Question } from './open-question.tsx';
export { parseDollars, toDollars } from './dollars.ts';
export { PaymentButton } from './payment-button.tsx';
export { PaymentDetails, type KnownPayment } from './payment-details.tsx';
export { PaymentStatus } from './payment-status.tsx';
export { useOpenQuestions } from './use-open-questions.ts';
