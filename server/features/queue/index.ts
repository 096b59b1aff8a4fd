export {
  arrive,
  arriveExpected,
  expectPatient,
  markStillWaiting,
  runningVisit,
  resendLink,
  type Party,
  type Person,
} from './arrivals.ts';
export { accessOf, entryOwnerFor, type EntryOwner, type LinkScope } from './link-access.ts';
export { createUnprovedLink } from './visit-links.ts';
export { linkLabel } from './text-templates.ts';
export { visitChangeStatements } from './after-change.ts';
export { messageStatements, linkTextStatements } from './messages.ts';
export { bumpQueue, findVisitId, lockVisit, messagesOf, queuePositionOf, type VisitRow } from './sql.ts';
export { makeMove, todayOf } from './make-move.ts';
