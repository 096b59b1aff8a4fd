export { fromStore } from './ask-store.ts';
export { forgetEndedLinks, linkToFile } from './file-links.ts';
