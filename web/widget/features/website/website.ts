import type { FrameMessage, HostMessage } from '#web/widget/loader/frame-messages.ts';

const isFramed = window.parent !== window;

/**
 * Tells the script of the website around this frame. Any origin may read it: the browser shows the frame on the practice's websites only, and
 * the message holds nothing of the chat.
 */
export function tellWebsite(message: FrameMessage): void {
  if (isFramed) window.parent.postMessage(message, '*');
}

let opened = true;

/** Whether the visitor has the chat open. The frame stays when they close it. */
export const isOpen = (): boolean => opened;

/** Calls back when the visitor opens or closes the chat, until the returned function is called. */
export function onWebsite(act: (message: HostMessage) => void): () => void {
  const listen = ({ source, data }: MessageEvent<unknown>) => {
    if (!isFramed || source !== window.parent || (data !== 'opened' && data !== 'closed')) return;
    opened = data === 'opened';
    act(data);
  };
  addEventListener('message', listen);
  return () => removeEventListener('message', listen);
}
