import { addMessages } from '#web/kit/i18n.ts';

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
