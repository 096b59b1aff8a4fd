export { queueing, queueText, type NewText } from './texts.ts';
