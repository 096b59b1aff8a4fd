export { closedAnswerStatements } from './closed-answer.ts';
export { encryptLink, fillLink, linkPlaceholder, ownLinkPattern, withoutOwnLinks } from './link-in-text.ts';
export { isSpanishKeyword, keywordAnswer } from './keyword-answers.ts';
export { ordinaryMessage, receiveReply, type TakeHere } from './carrier-callbacks.ts';
export { messageStatement, type NewMessage } from './message-sql.ts';
export {
  cancelTextsOfSend,
  cancelUnsentTexts,
  holdCustomTexts as holdOwnWords,
  insertTexts,
  moveText,
  sendWaitingText,
  setTextColumns,
} from './ledger-sql.ts';
export { noteTextOutcomes, refreshUnanswered, refreshUnansweredOfText, visitOfPhone } from './sql.ts';
export { missingPictureOf } from './received-pictures.ts';
export { admitNewTime, admitText, admitTexts, listTextsPerHour } from './text-limits.ts';
export { announceTextChange } from './text-outcomes.ts';
export { refuseBlockedNumber, refuseProblem } from './blocked-numbers.ts';
export { answerWaitsUntil, quietHoursNow, quietHoursOf, waitingUntil, type EndOfQuiet } from './quiet-hours.ts';
export { requireTextNumber, textStatements, queueText } from './queue-text.ts';
export { languageOfPatient } from './patient-language-sql.ts';
export type { TextBlock } from '#contract/queue.ts';
export { textBlockColumn, textBlockOf, textBlocksOf } from './blocked-numbers-sql.ts';
export type { NewText } from './new-text.ts';
