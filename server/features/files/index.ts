export { callStore } from './ask-store.ts';
export { deleteExpiredLinks, fileLinkStatement, linkToFile } from './file-links.ts';
export { shortenFileLinks } from './sql.ts';
