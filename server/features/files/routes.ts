import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { hashToken, newToken, sameBytes } from '#server/kit/crypto/secret.ts';
import { isSecureOrigin, languageOf, officeScope } from '#server/kit/http/request-context.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { dispositionOf } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { callStore } from './ask-store.ts';
import { linksPath, openLink, readLink } from './file-links.ts';
import { linkPage, linkPageStyle, type LinkState } from './link-page.ts';
import { claimTextedLink } from './sql.ts';

const ownFrames = "default-src 'none'; frame-ancestors 'self'";

/**
 * Serves file links. Whoever has one of two minutes may read the file; one that came by text opens for a single browser, when a person presses
 * the button there.
 */
export function fileRoutes(app: FastifyInstance): void {
  app.get(linkPageStyle, async (_req, reply) =>
    reply.type('text/css; charset=utf-8').send(pageStyle('server/features/files/page.css')),
  );
  app.get(`${linksPath}:link`, async (req, reply) => {
    const { scope, link, named } = await linkOf(req);
    if (!link) return wantsPage(req) ? sendPage(req, reply.code(404), 'ended') : refuse();
    if (!link.texted || isOpener(req, link)) return sendFile(reply, scope, link);
    if (link.openedBy !== null) return sendPage(req, reply.code(403), 'elsewhere');
    const { name } = await scope.transaction((tx) => officeRow(tx, named.officeId));
    return sendPage(req, reply, 'closed', name);
  });
  void app.register(async (forms) => openingRoute(forms));
}

/** The button: from then on the link is this browser's. */
function openingRoute(app: FastifyInstance): void {
  // The button sends nothing with it.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_000 },
    (_req, _body, done) => done(null, null),
  );
  app.post(`${linksPath}:link`, async (req, reply) => {
    const { scope, link, named } = await linkOf(req);
    if (!link) return wantsPage(req) ? sendPage(req, reply.code(404), 'ended') : refuse();
    if (!link.texted) return refuse();
    const { pathname } = new URL(req.url, 'http://localhost');
    if (isOpener(req, link)) return reply.redirect(pathname, 303);
    const token = newToken();
    const claim = { id: named.id, openedBy: hashToken(token), now: scope.now() };
    const isClaimed = await scope.transaction((tx) => claimTextedLink(tx, named.officeId, claim));
    if (!isClaimed) return sendPage(req, reply.code(403), 'elsewhere');
    const maxAge = Math.ceil((link.expiresAt.getTime() - scope.now().getTime()) / 1000);
    const secure = isSecureOrigin(req.protocol, req.hostname);
    return reply
      .setCookie(openerCookie, token, { path: pathname, httpOnly: true, sameSite: 'lax', secure, maxAge })
      .redirect(pathname, 303);
  });
}

const openerCookie = 'opened-link';

async function linkOf(req: FastifyRequest) {
  const { services } = req.server;
  const named = readLink(services.env, (req.params as { link: string }).link);
  if (!named) return refuse();
  const scope = officeScope(services, named.officeId, systemActor, req.id);
  return { scope, named, link: await openLink(scope, named.id) };
}

function isOpener(req: FastifyRequest, { openedBy }: { openedBy: Buffer | null }): boolean {
  const token = req.cookies[openerCookie];
  return token !== undefined && openedBy !== null && sameBytes(hashToken(token), openedBy);
}

/** A browser that goes to the link, not a page that shows the file in itself. */
const wantsPage = (req: FastifyRequest) => req.headers.accept?.includes('text/html') === true;

function refuse(): never {
  throw new Refusal('not_found');
}

function sendPage(req: FastifyRequest, reply: FastifyReply, state: LinkState, office?: string) {
  const language = languageOf(req.headers['accept-language']);
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-language': language,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      // Without a referrer, browsers name no origin when the button is pressed.
      'referrer-policy': 'same-origin',
    })
    .send(linkPage(language, state, office));
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
