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
  /** A proved link of the visit was used: phones with an unproved link only get hints that the queue may have moved from now on. */
  proved?: true;
  /** The person who was removed from the office: their connections there end. */
  removed?: string;
  /** For `type: 'writing'`: who writes in which conversation. A first message has no conversation yet; a patient is no `person`. */
  writing?: { conversation: string | null; person: string | null };
  /** The session that ended, for `type: 'session'`. */
  session?: string;
  /** For `type: 'echo'`: a process's question to itself whether its hints arrive. No screen hears of it. */
  echo?: string;
}

/** The PostgreSQL channel on which processes notify each other. */
export const hintChannel = 'anteroom';

/**
 * Hints that end connections, or narrow what one hears, are part of the transaction: none may be lost if the process dies after the commit.
 * All others are sent after the commit (docs/decisions/0087); a screen whose hint is lost notices by its polling.
 */
export const isPartOfTransaction = ({ type, removed, proved }: Hint): boolean =>
  type === 'session' || removed !== undefined || proved !== undefined;

/** Begins the statement of a hint that is sent after the commit. A connection that cannot do that runs it, inside the transaction. */
export const hintAfterCommit = `/* after the commit */ select pg_notify('${hintChannel}', `;

/** The statement that sends hints, in a transaction of its own that waits for no disk. */
export const hintsStatement = `
  select set_config('synchronous_commit', 'off', true)
  union all select pg_notify('${hintChannel}', hint)::text from unnest($1::text[]) hint`;
