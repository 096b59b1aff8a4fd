export { VisitPayment } from './visit-payment.tsx';
