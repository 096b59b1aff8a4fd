import type { FastifyInstance, FastifyReply } from 'fastify';
import type { House } from '#server/ctx.ts';
import { dispositionOf } from '#server/kit/file-answer.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { keyedHash, sameBytes } from '#server/kit/secret.ts';
import { FileMissing, isFileKey, linkSeconds, type LinkOptions } from './port.ts';

const path = '/files/';
const ownFrames = "default-src 'none'; frame-ancestors 'self'";

/** A link of the disk: everything that it opens is in it, signed. It opens one file until its time is over. */
export function linkOf(env: House['env'], key: string, options: LinkOptions, now: Date) {
  const expiresAt = new Date(now.getTime() + linkSeconds(options) * 1000);
  const until = String(Math.floor(expiresAt.getTime() / 1000));
  const { disposition, fileName } = options;
  const search = new URLSearchParams({
    until,
    as: disposition,
    name: fileName,
    mac: macOf(env, key, until, disposition, fileName),
  });
  return { url: `${path}${key}?${search}`, expiresAt };
}

const macOf = (env: House['env'], ...parts: string[]) =>
  keyedHash(env.secrets.session, 'file-link', ...parts).toString('base64url');

/** Opens the disk's links. Whoever has one may read the file for its few minutes; nothing else is looked at. */
export function diskRoutes(app: FastifyInstance): void {
  app.get(`${path}*`, async (req, reply) => {
    const { house } = app;
    const key = (req.params as { '*': string })['*'];
    const { until, as, name, mac } = req.query as Record<string, unknown>;
    if (![until, as, name, mac].every((part) => typeof part === 'string') || !isFileKey(key))
      throw new Refusal('not_found');
    const [seconds, disposition, fileName, given] = [until, as, name, mac] as [string, string, string, string];
    const right = Buffer.from(macOf(house.env, key, seconds, disposition, fileName));
    if (!sameBytes(right, Buffer.from(given)) || Number(seconds) * 1000 <= house.now().getTime())
      throw new Refusal('not_found');
    return sendFile(reply, house, key, { disposition, fileName });
  });
}

/** What a file tells the browser: shown at most by its own viewer, never a page of ours. */
async function sendFile(
  reply: FastifyReply,
  house: House,
  key: string,
  { disposition, fileName }: { disposition: string; fileName: string },
) {
  const found = await house.providers.storage.get(key).catch((error: unknown) => {
    if (error instanceof FileMissing) throw new Refusal('not_found');
    throw error;
  });
  const isPdf = found.file.contentType === 'application/pdf'; // browsers do not show one in a sandbox
  return reply
    .type(found.file.contentType)
    .header('content-length', found.file.bytes)
    .header('content-security-policy', isPdf ? ownFrames : `${ownFrames}; sandbox`)
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'private, no-store')
    .header('content-disposition', dispositionOf(disposition === 'inline' ? 'inline' : 'attachment', fileName))
    .send(found.content);
}
