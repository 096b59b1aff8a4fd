export { encryptLink, fillLink, linkPlaceholder } from './link.ts';
export { queueing, queueText, type NewText } from './texts.ts';
