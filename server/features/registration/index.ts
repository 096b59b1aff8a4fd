export { registerIn, registerOffice, type Registrant } from './register-practice.ts';
