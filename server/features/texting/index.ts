export { queueText, type NewText } from './texts.ts';
