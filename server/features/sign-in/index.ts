export { codeText } from './send-and-check-codes.ts';
export { deviceWords } from './device-name.ts';
export { readIdentifier, type Identifier } from './identifier.ts';
export { sendCodeFor, signInThrough } from './sign-in-from-feature.ts';
export { describeSession } from './session.ts';
export { deviceOf } from './devices.ts';
export { openSession, type Proven, welcome } from './open-session.ts';
export { personOf } from './find-person.ts';
export { addFailure, failuresSince } from './code-sql.ts';
export { findIdentity, findPerson, identitiesOf, type KnownIdentity } from './person-sql.ts';
export { recordInOffice } from './audit-in-offices.ts';
export { endSessionsOf, setSecondStep, setUnlocked } from './session-sql.ts';
export { callerOf } from './unlock.ts';
export {
  lockMinutesForUpdate,
  officeFacts,
  officesOf,
  saveLockMinutes,
  setRequiresAuthenticator,
} from './office-sql.ts';
