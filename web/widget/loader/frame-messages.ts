/** What the chat in the frame tells the script of the website around it. A website may have an older script than the frame: never change one of these, only add. */
export type FrameMessage =
  /** The frame is allowed here, and its page runs. The color is the practice's. */
  | { chat: 'ready'; color?: string | undefined }
  /** The visitor pressed Escape. */
  | { chat: 'close' }
  /** How many messages came since the visitor closed the chat. */
  | { chat: 'unread'; count: number };

/** What the script tells the frame: the visitor opened or closed the chat. */
export type HostMessage = 'opened' | 'closed';
