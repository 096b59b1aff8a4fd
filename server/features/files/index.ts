export { callStore } from './ask-store.ts';
export { deleteExpiredLinks, linkToFile } from './file-links.ts';
