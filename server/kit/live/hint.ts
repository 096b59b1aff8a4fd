/** A hint that something changed: ids only, no patient data. Screens refetch. */
export interface Hint {
  /** The office whose open panels should refetch. */
  office?: string;
  /** The visit whose phones should refetch. */
  visit?: string;
  /** The conversation whose website visitor should refetch. */
  visitor?: string;
  /** What kind of thing changed: `checkin` (the queue), `message`, `messages` (the inbox), `payment` (the list of payments), `writing`, `settings`, `text` (jobs) … */
  type: string;
  /** A patient pressed "I'm here": a locked panel rings, and learns no more than that. */
  arrived?: true;
  /** A proved link of the visit was used: phones with an unproved link only get hints about the line from now on. */
  proved?: true;
  /** The person who was removed from the office: their connections there end. */
  removed?: string;
  /** For `type: 'writing'`: who writes in which conversation. A first message has no conversation yet; a patient is no `person`. */
  writing?: { conversation: string | null; person: string | null };
  /** The session that ended, for `type: 'session'`. */
  session?: string;
}

/** The PostgreSQL channel on which processes notify each other. */
export const hintChannel = 'anteroom';
