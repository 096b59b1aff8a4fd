export { encryptLink, fillLink, linkPlaceholder, ownLinkPattern } from './link-in-text.ts';
export { cancelUnsentTexts } from './sql.ts';
export { hasOptedOut, textStatements, queueText } from './queue-text.ts';
export type { NewText } from './new-text.ts';
