export { checkDuePayments } from './jobs.ts';
export { claimCharge } from './pay.ts';
export { patientPayments } from './payment-shown.ts';
export { recordInAthena } from './record-payments.ts';
export { checkRefund, endRefund, refundPayment, voidPayment } from './refunds.ts';
export { addRequest } from './request-payment.ts';
export { checkCharge, sendCharge } from './send-charge.ts';
export { lockPayment } from './sql.ts';
