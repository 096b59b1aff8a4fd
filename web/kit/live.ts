import { useEffect, useEffectEvent } from 'react';
import type { Socket } from 'socket.io-client';
import { heard, missed } from './connection.ts';

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

function join(subject: Subject): () => void {
  let left = false;
  let socket: Socket | undefined;
  void open(subject).then((opened) => {
    if (left) opened.disconnect();
    else socket = opened;
  }, missed);
  return () => {
    left = true;
    socket?.disconnect();
  };
}

/** The socket library is a chunk of its own, fetched after the first paint. */
async function open(subject: Subject): Promise<Socket> {
  const { io } = await import('socket.io-client');
  const socket = io({ transports: ['websocket'], forceNew: true, reconnectionDelayMax: 5_000, auth: subject });

  let opened = false;
  socket.on('connect', () => {
    heard();
    tellAll({ type: opened ? 'refetch' : 'opened' });
    opened = true;
  });
  socket.on('updates', (hint: Hint) => {
    heard();
    tellAll(hint);
  });
  socket.on('connect_error', (refused) => {
    // Refused by the server itself: the library does not try again by itself then.
    if (socket.active) return;
    if (refused.message === 'not_signed_in') tellAll({ type: 'refetch' });
    else setTimeout(() => socket.connect(), tryAgainMs);
  });
  socket.on('disconnect', () => tellAll({ type: 'refetch' }));
  socket.io.on('ping', heard);
  return socket;
}
