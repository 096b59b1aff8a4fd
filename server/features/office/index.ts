export {
  addOffice,
  addStaff,
  insertOffice,
  settingsOfNewPractice,
  type NewOffice,
  type NewStaff,
} from './add-office.ts';
export { callerFlags, flagLayersOf } from './flags.ts';
export { publicConfig } from './public-config.ts';
export { officeDetails, refuseWrong, saveOfficeDetails } from './office-details.ts';
export { freeNpi, holderOf, holdNpi } from './npi-numbers.ts';
export { refuseTakenName } from './name-taken.ts';
export { operatorIn } from './directory.ts';
export { openNow } from './opening-hours.ts';
export { userRecord } from './office-records.ts';
