export { codeText } from './send-and-check-codes.ts';
export { parseUserAgent } from './device-name.ts';
export { readIdentifier, type Identifier } from './identifier.ts';
export { sendFeatureCode, signInForFeature } from './sign-in-from-feature.ts';
export { describeSession } from './session.ts';
export { deviceOf } from './devices.ts';
export { openSession, type VerifiedPerson, finishSignIn } from './open-session.ts';
export { findOrCreatePerson } from './find-person.ts';
export { addFailure, failuresSince } from './code-sql.ts';
export { findIdentity, findPerson, type PersonIdentity } from './person-sql.ts';
export { auditInOffice } from './audit-in-offices.ts';
export { endSessionsOf, setSecondStep, setUnlocked } from './session-sql.ts';
export { requireCaller } from './unlock.ts';
export {
  lockMinutesForUpdate,
  officeFacts,
  officesOf,
  saveLockMinutes,
  setRequiresAuthenticator,
} from './office-sql.ts';
