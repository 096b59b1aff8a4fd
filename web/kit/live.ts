import { useEffect, useEffectEvent } from 'react';
import { heard } from './connection.ts';
import { listen } from './socket.ts';

/**
 * Something changed: look again. A type and ids, never patients' data. `refetch`: the line was cut or came
 * back, so anything may have changed. `opened`: it stands for the first time; what moves fast may have moved meanwhile.
 */
export interface Hint {
  type: string;
  visit?: string;
  /** Somebody said "I'm here". */
  arrived?: true;
}
/** Whom a page listens to, said at the handshake: an office (with the panel's session), or a visit by its token. */
type Subject = { office: string } | { visit: string };

const listeners = new Set<(hint: Hint) => void>();
const tryAgainMs = 3_000;

/** Hears what changes in an office until the returned function is called. */
export const joinOffice = (idOrNpi: string) => join({ office: idOrNpi });

/** Hears what changes in one visit until the returned function is called. */
export const joinVisit = (token: string) => join({ visit: token });

/** Calls back on each hint until the returned function is called. */
export function onHint(listener: (hint: Hint) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back on each hint while the component is on screen. */
export function useHints(listener: (hint: Hint) => void): void {
  const hear = useEffectEvent(listener);
  useEffect(() => onHint((hint) => hear(hint)), []);
}

function tellAll(hint: Hint): void {
  for (const listener of listeners) listener(hint);
}

/** The line is opened by a page that is on screen already, and cannot fail: it tries again. */
function join(subject: Subject): () => void {
  let opened = false;
  return listen(subject, {
    stood() {
      heard();
      tellAll({ type: opened ? 'refetch' : 'opened' });
      opened = true;
    },
    told(name, hint) {
      heard();
      if (name === 'updates') tellAll(hint as Hint);
    },
    alive: heard,
    cut: () => tellAll({ type: 'refetch' }),
    refused(why) {
      if (why !== 'not_signed_in') return tryAgainMs;
      tellAll({ type: 'refetch' });
      return null;
    },
  });
}
