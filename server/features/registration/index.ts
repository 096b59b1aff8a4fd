export { registerInTransaction, registerOffice, type Registrant } from './register-practice.ts';
export { withTextNumber } from './text-number.ts';
