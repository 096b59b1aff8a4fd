export {
  arrive,
  arriveByText,
  arriveExpected,
  expectPatient,
  markStillWaiting,
  nameArrived,
  resendLink,
} from './arrivals.ts';
export { runningVisit, savePatient, type Party, type Person } from './arrival-sql.ts';
export { accessOf, entryOwnerFor, type EntryOwner, type LinkScope } from './link-access.ts';
export { createUnprovedLink } from './visit-links.ts';
export { checkInTextOf } from './text-previews.ts';
export { anyLinkLabel, linkLabel, surveyLinkLabel } from './text-templates.ts';
export { visitChangeStatements } from './after-change.ts';
export { messageStatements, linkTextStatements } from './messages.ts';
export { dayOfVisit, findVisitId, lockVisit, queuePositionOf, type VisitRow } from './sql.ts';
export { formRequestSince, hasTextOfDesk, linkTextsSince, newestMessagesOf } from './visit-messages-sql.ts';
export { makeMove, todayOf } from './make-move.ts';
export { requestedFormsPhrase } from './form-request.ts';
