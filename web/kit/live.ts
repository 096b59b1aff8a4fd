import { useEffect, useEffectEvent } from 'react';
import type { Socket } from 'socket.io-client';
import { heard, missed } from './connection.ts';

/**
 * Something changed: look again. Carries a type and ids, never patients' data. `refetch` is ours: the line
 * was cut or came back, so anything may have changed.
 */
export interface Hint {
  type: string;
  ids?: string[];
}
/** What a page listens to: an office's panel, or one visit by its token. */
type Room = { office: string } | { visit: string };

const rooms = new Set<Room>();
const listeners = new Set<(hint: Hint) => void>();
let opening: Promise<Socket> | undefined;

const tellAll = (hint: Hint) => listeners.forEach((listener) => listener(hint));

/** Hears what changes in an office until the returned function is called. */
export function joinOffice(npi: string): () => void {
  return join({ office: npi });
}

/** Hears what changes in one visit until the returned function is called. */
export function joinVisit(token: string): () => void {
  return join({ visit: token });
}

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

/** Cuts the line: upon sign-out. The next join opens a new one, with the new session. */
export async function hangUp(): Promise<void> {
  const socket = await opening;
  opening = undefined;
  socket?.disconnect();
}

function join(room: Room): () => void {
  rooms.add(room);
  opening ??= open();
  void opening.then((socket) => socket.connected && socket.emit('join', room));
  return () => {
    rooms.delete(room);
    void opening?.then((socket) => socket.connected && socket.emit('leave', room));
    if (rooms.size === 0) void hangUp();
  };
}

/** The socket library is a chunk of its own, fetched after the first paint. */
async function open(): Promise<Socket> {
  const { io } = await import('socket.io-client');
  const socket = io({ transports: ['websocket', 'polling'], reconnectionDelayMax: 5_000 });

  socket.on('connect', async () => {
    heard();
    await Promise.all([...rooms].map((room) => socket.emitWithAck('join', room)));
    tellAll({ type: 'refetch' });
  });
  socket.on('updates', (hint: Hint) => {
    heard();
    tellAll(hint);
  });
  socket.io.on('ping', heard);
  socket.io.on('reconnect_attempt', missed);
  socket.on('disconnect', () => tellAll({ type: 'refetch' }));
  return socket;
}
