import { createHash } from 'node:crypto';
import type { Services } from '#server/context.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import {
  addEvent,
  endRequest,
  expireDue,
  insertLink,
  insertRequest,
  requestById,
  type RequestRow,
} from './local-sql.ts';
import { EsignRefused, type Esign, type SigningRequest } from './port.ts';

export type LocalEsignServices = Pick<Services, 'db' | 'env' | 'id' | 'now'> & { storage: Storage };

/** How long a request waits for its signature, and how long a link is valid. */
const requestLifeMs = 30 * 86_400_000;
export const linkLifeMs = 60 * 60_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The request with this id; throws if there is none. */
export async function requireRequest({ db }: LocalEsignServices, requestId: string): Promise<RequestRow> {
  const found = uuid.test(requestId) ? await requestById(db, requestId) : undefined;
  if (!found) throw new EsignRefused('not-found');
  return found;
}

/** Stores the document and makes a request of it; returns its id. */
export async function createRequest(
  services: LocalEsignServices,
  { reference, title, fileName, pdf, readable, signer, place }: Parameters<Esign['create']>[0],
): Promise<string> {
  const { db, id, now, storage } = services;
  const requestId = id();
  const pdfKey = `esign/${requestId}/sent`;
  await storage.put(pdfKey, pdf, { contentType: 'application/pdf' });
  await db
    .transaction()
    .execute(async (tx) => {
      await insertRequest(tx, {
        id: requestId,
        reference,
        title,
        fileName,
        signerName: signer.name,
        signerEmail: signer.email,
        place: JSON.stringify(place),
        readable: JSON.stringify(readable),
        pdfKey,
        pdfSha256: createHash('sha256').update(pdf).digest('hex'),
        createdAt: now(),
        expiresAt: new Date(now().getTime() + requestLifeMs),
      });
      await addEvent(tx, services, requestId, 'created', { note: signer.email });
    })
    .catch((error: unknown) => {
      // Already created by a call that timed out; `find` returns it.
      throw (error as { code?: string }).code === '23505' ? new EsignRefused('conflict') : error;
    });
  return requestId;
}

/** The request as it is now; an overdue one has expired. */
export async function readRequest(services: LocalEsignServices, requestId: string): Promise<SigningRequest> {
  await expireDue(services.db, services, (await requireRequest(services, requestId)).id);
  const row = await requireRequest(services, requestId);
  return {
    requestId,
    state: row.state,
    reference: row.reference,
    signer: { name: row.signerName, email: row.signerEmail },
    viewedAt: row.viewedAt,
    signedAt: row.signedAt,
    declineReason: row.declineReason,
  };
}

/** A link that opens the signing page of an open request once. */
export async function makeLink(
  services: LocalEsignServices,
  requestId: string,
  person: Parameters<Esign['mintLink']>[1],
): Promise<{ url: string; expiresAt: Date }> {
  const { db, now } = services;
  const { state } = await requireRequest(services, requestId);
  if (state !== 'open') throw new EsignRefused('gone');
  const token = newToken();
  const expiresAt = new Date(now().getTime() + linkLifeMs);
  await db.transaction().execute(async (tx) => {
    await insertLink(tx, {
      tokenHash: hashToken(token),
      requestId,
      personId: person.id,
      signedInAs: person.signedInAs,
      language: person.language,
      createdAt: now(),
      expiresAt,
    });
    await addEvent(tx, services, requestId, 'link_made', { note: person.signedInAs });
  });
  return { url: `/esign/sign/${token}`, expiresAt };
}

/** Cancels an open request; one that has ended stays as it is. */
export async function cancelRequest(services: LocalEsignServices, requestId: string): Promise<void> {
  const { id } = await requireRequest(services, requestId);
  await services.db.transaction().execute(async (tx) => {
    if (await endRequest(tx, id, 'canceled', { at: services.now() }))
      await addEvent(tx, services, id, 'canceled', { told: true });
  });
}
