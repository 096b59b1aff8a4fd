export { addOffice, addStaff, type NewOffice, type NewStaff } from './add-office.ts';
export { openNow } from './hours.ts';
