export { registerInTransaction, registerOffice, type Registrant } from './register-practice.ts';
export { withTextNumber, type OfferedNumber } from './text-number.ts';
