import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file as an endpoint's answer: at most shown in the browser's own viewer, never as a page of ours. */
export interface FileAnswer {
  content: Readable | Buffer;
  contentType: string;
  /** The length, if known in advance, so that the browser can show progress. */
  bytes?: number | undefined;
  disposition: 'inline' | 'attachment';
  fileName: string;
}

export function sendFile(reply: FastifyReply, file: FileAnswer): FastifyReply {
  reply
    .type(file.contentType)
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'self'; sandbox")
    .header('cache-control', 'private, no-store')
    .header('content-disposition', dispositionOf(file.disposition, file.fileName));
  if (file.bytes !== undefined) reply.header('content-length', file.bytes);
  return reply.send(file.content);
}

/** RFC 6266: a plain name for old clients, and the real one. */
export function dispositionOf(disposition: FileAnswer['disposition'], fileName: string): string {
  const plain = fileName.replace(/[^\w .()-]/g, '_');
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
