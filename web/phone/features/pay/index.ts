export { loadMessages } from './messages.ts';
export { VisitPayments } from './visit-payment.tsx';
