import { buffer } from 'node:stream/consumers';
import type { Services } from '#server/context.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { linkLifeMs } from './local-requests.ts';
import type { SignedFields } from './local-pdf.ts';
import {
  addEvent,
  endRequest,
  eventsOf,
  expireDue,
  linkByPage,
  linkByToken,
  requestById,
  setLinkOpened,
  setViewed,
  type RequestRow,
  type Visitor,
} from './local-sql.ts';

/** The actions of the signing page. Whoever opened a link holds the page's key; nothing else is required. */

/** Why a page does not open, or can do nothing any more. */
export type ClosedPage = 'unknown' | 'used' | 'late' | 'signed' | 'declined' | 'expired' | 'canceled';
export interface OpenPage {
  request: RequestRow;
  signedInAs: string;
  language: 'en' | 'es';
}

const closedBy = (request: RequestRow): ClosedPage | null => (request.state === 'open' ? null : request.state);

/** Opens a link: the first request gets the page and its key, every later one is refused as used. */
export async function openLink(
  services: Services,
  token: string,
  visitor: Visitor,
): Promise<{ page: OpenPage; key: string } | { closed: ClosedPage; language: OpenPage['language'] | null }> {
  const { db, now } = services;
  const tokenHash = hashToken(token);
  const link = await linkByToken(db, tokenHash);
  if (!link) return { closed: 'unknown', language: null };
  const { language } = link;
  await expireDue(db, services, link.requestId);
  const request = await requestById(db, link.requestId);
  const closed = !request ? 'unknown' : closedBy(request);
  if (!request || closed) return { closed: closed ?? 'unknown', language };
  if (link.openedAt) return { closed: 'used', language };
  if (link.expiresAt <= now()) return { closed: 'late', language };

  const key = newToken();
  const opened = await db.transaction().execute(async (tx) => {
    if (!(await setLinkOpened(tx, tokenHash, { openedAt: now(), pageHash: hashToken(key) }))) return false;
    await setViewed(tx, request.id, now());
    await addEvent(tx, services, request.id, 'viewed', { visitor, note: link.signedInAs, told: true });
    return true;
  });
  if (!opened) return { closed: 'used', language };
  return { page: { request, signedInAs: link.signedInAs, language }, key };
}

/** The page of a key, valid for an hour after its link was opened. */
export async function pageOf(services: Services, key: string): Promise<OpenPage | { closed: ClosedPage }> {
  const { db, now } = services;
  const link = await linkByPage(db, hashToken(key));
  if (!link?.openedAt) return { closed: 'unknown' };
  await expireDue(db, services, link.requestId);
  const request = await requestById(db, link.requestId);
  if (!request) return { closed: 'unknown' };
  const closed = closedBy(request) ?? (link.openedAt.getTime() + linkLifeMs <= now().getTime() ? 'late' : null);
  return closed ? { closed } : { request, signedInAs: link.signedInAs, language: link.language };
}

const signingNow = new Map<string, Promise<ClosedPage | null>>();

/** Signs once; null on success. A second press waits for the first and then finds it signed. */
export async function sign(...given: Parameters<typeof signOnce>): Promise<ClosedPage | null> {
  const { id } = given[1].request;
  const before = signingNow.get(id);
  if (before) return (await before) ?? 'signed';
  const mine = signOnce(...given).finally(() => signingNow.delete(id));
  signingNow.set(id, mine);
  return mine;
}

/** Stores the signed document first, then marks the request signed. */
async function signOnce(
  services: Services,
  page: OpenPage,
  written: SignedFields,
  about: { visitor: Visitor; consent: string },
): Promise<ClosedPage | null> {
  const { db, now } = services;
  const { storage } = services.providers;
  const { request, signedInAs } = page;
  const sent = await buffer((await storage.get(request.pdfKey)).content);
  const { createSignedPdf } = await import('./local-pdf.ts');
  const pdf = await createSignedPdf(
    services,
    sent,
    request,
    written,
    { ...about, signedInAs },
    await eventsOf(db, request.id),
  );
  const signedKey = `esign/${request.id}/signed-${services.id()}`;
  await storage.put(signedKey, pdf, { contentType: 'application/pdf' });
  const signed = await db.transaction().execute(async (tx) => {
    const done = await endRequest(tx, request.id, 'signed', { at: now(), signedKey, signerName: written.name });
    if (done) {
      await addEvent(tx, services, request.id, 'signed', { visitor: about.visitor, note: written.name, told: true });
      await addEvent(tx, services, request.id, 'downloadable', { told: true });
    }
    return done;
  });
  if (signed) return null;
  await storage.delete(signedKey);
  const current = await requestById(db, request.id);
  return (current && closedBy(current)) ?? 'unknown';
}

/** Declines, with the signer's reason; null on success. */
export async function decline(
  services: Services,
  page: OpenPage,
  visitor: Visitor,
  reason: string,
): Promise<ClosedPage | null> {
  return end(services, page, visitor, 'declined', reason);
}

/** Expires the request early, to try out what happens then. */
export async function expire(services: Services, page: OpenPage, visitor: Visitor): Promise<ClosedPage | null> {
  return end(services, page, visitor, 'expired', '');
}

async function end(
  services: Services,
  { request }: OpenPage,
  visitor: Visitor,
  state: 'declined' | 'expired',
  reason: string,
): Promise<ClosedPage | null> {
  return services.db.transaction().execute(async (tx) => {
    const declineReason = reason || undefined;
    const done = await endRequest(tx, request.id, state, {
      at: services.now(),
      ...(declineReason !== undefined && { declineReason }),
    });
    if (done) {
      await addEvent(tx, services, request.id, state, { visitor, ...(reason && { note: reason }), told: true });
      return null;
    }
    const current = await requestById(tx, request.id);
    return (current && closedBy(current)) ?? 'unknown';
  });
}
