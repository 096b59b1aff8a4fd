import type { FastifyInstance, FastifyReply } from 'fastify';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { dispositionOf } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { callStore } from './ask-store.ts';
import { linksPath, openLink, readLink } from './file-links.ts';

const ownFrames = "default-src 'none'; frame-ancestors 'self'";

/** Serves file links. Whoever has one may read the file for two minutes; nothing else is checked. */
export function fileRoutes(app: FastifyInstance): void {
  app.get(`${linksPath}:link`, async (req, reply) => {
    const named = readLink(app.services.env, (req.params as { link: string }).link);
    if (!named) throw new Refusal('not_found');
    const scope = officeScope(app.services, named.officeId, systemActor, req.id);
    const link = await openLink(scope, named.id);
    if (!link) throw new Refusal('not_found');
    return sendFile(reply, scope, link);
  });
}

/** Sends a file with headers that keep it from acting as a page of ours. */
async function sendFile(
  reply: FastifyReply,
  scope: OfficeScope,
  { objectKey, fileName, disposition }: { objectKey: string; fileName: string; disposition: string },
) {
  const { file, content } = await callStore(scope, () => scope.providers.storage.get(objectKey));
  const isPdf = file.contentType === 'application/pdf'; // browsers do not show one in a sandbox
  return reply
    .type(file.contentType)
    .header('content-length', file.bytes)
    .header('content-security-policy', isPdf ? ownFrames : `${ownFrames}; sandbox`)
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'private, no-store')
    .header('x-robots-tag', 'noindex, nofollow, noarchive')
    .header('content-disposition', dispositionOf(disposition === 'inline' ? 'inline' : 'attachment', fileName))
    .send(content);
}
