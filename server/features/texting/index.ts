export { encryptLink, fillLink, linkPlaceholder, ownLinkPattern } from './link.ts';
export { cancelWaiting } from './sql.ts';
export { hasOptedOut, queueing, queueText, type NewText } from './texts.ts';
