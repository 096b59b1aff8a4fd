export { arrive, arriveExpected, raiseHand, runningVisit, sendLinkAgain, type Party, type Person } from './arrivals.ts';
export { accessOf, entriesFor, type EnteredWith, type LinkScope } from './link-access.ts';
export { newLink } from './visit-links.ts';
export { changing } from './after-change.ts';
export { saying, textingLink } from './messages.ts';
export { bumpQueue, findVisitId, lockVisit, messagesOf, placeOf, type VisitRow } from './sql.ts';
export { makeMove, todayOf } from './make-move.ts';
