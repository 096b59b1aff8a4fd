export { ConversationList } from './conversation-list.tsx';
export { replyBoxId } from './composer.tsx';
export { ThreadPane } from './thread.tsx';
export { changesInbox } from './use-inbox-counts.ts';
export { useChangeConversation } from './use-inbox.ts';
