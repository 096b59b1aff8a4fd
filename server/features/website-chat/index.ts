export { openChat } from './start-chat.ts';
