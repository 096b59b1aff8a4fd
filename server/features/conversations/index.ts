export {
  judgePicture,
  limitVisitorBytes,
  limitWebsiteBytes,
  linkToVisitorPicture,
  storePicture,
  type StoredPicture,
} from './pictures.ts';
export { auditVisitorRead } from './audit-visitor-read.ts';
export {
  noteOtherNumber,
  openVisitorConversation,
  receiveVisitorMessage,
  renameVisitor,
} from './visitor-conversations.ts';
export { isForm, readPictureForm } from './read-message-form.ts';
export { noteVisitorWriting } from './writing.ts';
