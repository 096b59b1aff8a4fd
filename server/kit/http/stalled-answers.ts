import type { Server } from 'node:http';

/** A phone that loses its network for a moment goes on; the file of one that stopped reading would stay in memory until TCP gives up. */
export const stalledAnswerMs = 60_000;

/**
 * Closes the connection of a client that takes not one byte of its answer for so long. Node starts the time again whenever something was sent,
 * so a slow client gets all of it. Nothing waits to be sent on the way to an answer, between two requests, or on a quiet WebSocket.
 */
export function endStalledAnswers(server: Server, stalledMs = stalledAnswerMs): void {
  server.prependListener('request', (_req, res) => {
    res.setTimeout(stalledMs, () => {
      if (res.socket && res.socket.writableLength > 0) res.socket.destroy();
    });
  });
}
