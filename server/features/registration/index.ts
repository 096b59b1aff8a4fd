export { registerInTransaction, registerOffice, type Registrant } from './register-practice.ts';
