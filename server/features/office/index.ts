export { openNow } from './hours.ts';
