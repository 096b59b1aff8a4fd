export {
  addOffice,
  addStaff,
  insertOffice,
  settingsOfNewPractice,
  type NewOffice,
  type NewStaff,
} from './add-office.ts';
export { flagLayersOf } from './flags.ts';
export { publicConfig } from './public-config.ts';
export { officeDetails, refuseInvalidDetails, saveOfficeDetails } from './office-details.ts';
export { createProvisionalNpi } from './npi-numbers.ts';
export { refuseConfusableName } from './name-taken.ts';
export { findOperatorScope } from './directory.ts';
export { isOwnUsername, userAccount as userRecord, viewedDoctor } from './office-accounts.ts';
export { findNpiHolder, isNumberTaken, lockNpi } from './sql.ts';
export { rentOfficeNumber } from './rent-number.ts';
