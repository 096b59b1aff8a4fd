import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ChatFront } from '#contract/website-chat.ts';
import type { ChatState } from './chat-state.ts';
import { followChat, type ChatFollower } from './follow-chat.ts';

const watchNothing = () => () => {};
const seeNothing = () => null;

interface FollowedChat {
  npi: string;
  token: string;
  front: ChatFront;
}

/** Follows the chat of a token while the page is on screen; null before it starts. */
export function useChat({ npi, token, front }: FollowedChat): { chat: ChatFollower; state: ChatState } | null {
  const [firstFront] = useState(front);
  const [chat, setChat] = useState<ChatFollower | null>(null);
  useEffect(() => {
    const started = followChat({ npi, token, front: firstFront });
    setChat(started);
    return started.stop;
  }, [npi, token, firstFront]);
  const state = useSyncExternalStore<ChatState | null>(chat?.watch ?? watchNothing, chat?.now ?? seeNothing);
  return chat && state ? { chat, state } : null;
}
