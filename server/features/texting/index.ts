export { encryptLink, fillLink, linkPlaceholder } from './link.ts';
export { hasOptedOut, queueing, queueText, type NewText } from './texts.ts';
