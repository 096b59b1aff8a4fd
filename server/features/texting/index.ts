export { encryptLink, fillLink, linkPlaceholder, ownLinkPattern } from './link-in-text.ts';
export { receiveReply } from './carrier-callbacks.ts';
export { messageStatement, type NewMessage } from './message-statement.ts';
export { bumpQueueForVisits, cancelUnsentTexts, moveText, visitOfPhone } from './sql.ts';
export { admitText, admitTexts } from './text-limits.ts';
export { announceTextChange } from './text-outcomes.ts';
export { hasOptedOut } from './opt-out-sql.ts';
export { requireTextNumber, textStatements, queueText } from './queue-text.ts';
export type { NewText } from './new-text.ts';
