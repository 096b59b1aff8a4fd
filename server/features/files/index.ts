export { fromStore } from './from-store.ts';
export { forgetEndedLinks, linkToFile } from './links.ts';
