import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { StoredFile } from './port.ts';
import { S3Refused } from './s3-call.ts';
import type { Bucket, Pace } from './s3-calls.ts';

/**
 * A file's content, starting with the given answer. After a broken connection it resumes at the same offset, as long as it is the same
 * file.
 */
export function contentOf(bucket: Bucket, file: StoredFile, first: IncomingMessage, pace: Pace): Readable {
  const { etag } = first.headers;
  let answer = first.on('error', () => undefined);

  async function goOn(from: number): Promise<() => Promise<Buffer | null>> {
    answer.destroy();
    const headers = { range: `bytes=${from}-`, 'if-match': etag ?? '' };
    answer = (await bucket.ask({ method: 'GET', key: file.key, headers })).on('error', () => undefined);
    if (answer.statusCode !== 206) throw new S3Refused('NotInPieces', answer.statusCode);
    return piecesOf(answer, pace.silenceMs);
  }

  async function* pieces(): AsyncGenerator<Buffer> {
    let read = 0;
    let next = piecesOf(answer, pace.silenceMs);
    for (let broken = 0; ;) {
      const piece = await next().catch((error: Error) => error);
      if (Buffer.isBuffer(piece)) {
        read += piece.length;
        yield piece;
      } else if (read === file.bytes) return;
      else if (!etag || ++broken >= pace.tries) throw piece ?? new S3Refused('Cut');
      else next = await goOn(read);
    }
  }
  return Readable.from(pieces(), { objectMode: false }).once('close', () => answer.destroy());
}

/** Reads an answer piece by piece, null at its end. A connection that is silent while a reader waits counts as cut. */
function piecesOf(answer: IncomingMessage, silenceMs: number): () => Promise<Buffer | null> {
  const pieces = answer[Symbol.asyncIterator]();
  return async () => {
    const silent = setTimeout(() => answer.destroy(new S3Refused('Silence')), silenceMs);
    try {
      const { value, done } = await pieces.next();
      return done ? null : (value as Buffer);
    } finally {
      clearTimeout(silent);
    }
  };
}
