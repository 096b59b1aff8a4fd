export { VisitPayments } from './visit-payment.tsx';
