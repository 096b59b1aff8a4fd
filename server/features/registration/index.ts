export { registerIn, registerOffice, type Registrant } from './registering.ts';
