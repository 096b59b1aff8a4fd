export {
  addOffice,
  addStaff,
  insertOffice,
  settingsOfNewPractice,
  type NewOffice,
  type NewStaff,
} from './add-office.ts';
export { callerFlags, flagLayersOf } from './flags.ts';
export { publicConfig } from './config.ts';
export { officeDetails, refuseWrong, saveOfficeDetails } from './details.ts';
export { freeNpi, holderOf, holdNpi } from './npi.ts';
export { refuseTakenName } from './name-taken.ts';
export { operatorIn } from './directory.ts';
export { openNow } from './hours.ts';
export { userRecord } from './records.ts';
