export { encryptLink, fillLink, linkPlaceholder, ownLinkPattern } from './link-in-text.ts';
export { cancelWaiting } from './sql.ts';
export { hasOptedOut, textStatements, queueText } from './queue-text.ts';
export type { NewText } from './new-text.ts';
