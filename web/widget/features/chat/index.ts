import { addMessages } from '#web/kit/i18n.ts';
import { savedDraftPictureId } from './draft.ts';
import { forgetOldPictures } from './kept-pictures.ts';
import { savedUnsent } from './saved-unsent.ts';

export { ChatPage } from './chat-page.tsx';
export { WhoseChat } from './whose-chat.tsx';
export { fetchFront, startConversation } from './start-conversation.ts';

const catalogs = {
  // In the files that show it (vite.config.ts).
  en: () => ({ messages: {} }),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of the chat; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);

/** Deletes the pictures of tabs that were closed, also if the visitor begins no chat: the browser may be a shared one. */
export const forgetPicturesOfClosedTabs = (npi: string): Promise<void> =>
  forgetOldPictures([savedDraftPictureId(npi), ...savedUnsent(npi).map(({ clientId }) => clientId)]);
