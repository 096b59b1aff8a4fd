import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Services } from '#server/context.ts';
import { isSigned, signatureHeader } from '#server/kit/crypto/signature.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { addEvent, endRequest, expireDue, requestById, type RequestRow } from './local-sql.ts';
import { EsignSignatureInvalid, EsignRefused, type Esign } from './port.ts';

export type LocalEsignServices = Pick<Services, 'db' | 'env' | 'id' | 'now'> & { storage: Storage };

/** How long a request waits for its signature, and how long a link is valid. */
const requestLifeMs = 30 * 86_400_000;
export const linkLifeMs = 60 * 60_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The local e-signature provider: keeps requests and their trail as a vendor would, outside every office. Its signing page is
 * local-routes.ts, its callbacks local-callbacks.ts.
 */
export function localEsign(services: LocalEsignServices): Esign {
  const { db, env, id, now, storage } = services;
  const request = async (requestId: string): Promise<RequestRow> => {
    const found = uuid.test(requestId) ? await requestById(db, requestId) : undefined;
    if (!found) throw new EsignRefused('not-found');
    return found;
  };
  return {
    name: 'local',
    client: { kind: 'page' },
    frameSources: [],
    callbackReply: { contentType: 'application/json', body: '{"received":true}' },

    async create({ reference, title, fileName, pdf, readable, signer, place }) {
      const requestId = id();
      const pdfKey = `esign/${requestId}/sent`;
      await storage.put(pdfKey, pdf, { contentType: 'application/pdf' });
      await db
        .transaction()
        .execute(async (tx) => {
          await tx
            .insertInto('esign.request')
            .values({
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
            })
            .execute();
          await addEvent(tx, services, requestId, 'created', { note: signer.email });
        })
        .catch((error: unknown) => {
          // Already created by a call that timed out; `find` returns it.
          throw (error as { code?: string }).code === '23505' ? new EsignRefused('conflict') : error;
        });
      return { requestId, signatureId: requestId };
    },

    async find(reference) {
      const row = await db
        .selectFrom('esign.request')
        .select('id')
        .where('reference', '=', reference)
        .executeTakeFirst();
      return row ? { requestId: row.id, signatureId: row.id } : null;
    },

    async read(requestId) {
      await expireDue(db, services, (await request(requestId)).id);
      const row = await request(requestId);
      return {
        requestId,
        state: row.state,
        reference: row.reference,
        signer: { name: row.signerName, email: row.signerEmail },
        viewedAt: row.viewedAt,
        signedAt: row.signedAt,
        declineReason: row.declineReason,
      };
    },

    async mintLink({ requestId }, person) {
      const { state } = await request(requestId);
      if (state !== 'open') throw new EsignRefused('gone');
      const token = newToken();
      const expiresAt = new Date(now().getTime() + linkLifeMs);
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('esign.link')
          .values({
            tokenHash: hashToken(token),
            requestId,
            personId: person.id,
            signedInAs: person.signedInAs,
            language: person.language,
            createdAt: now(),
            expiresAt,
          })
          .execute();
        await addEvent(tx, services, requestId, 'link_made', { note: person.signedInAs });
      });
      return { url: `/esign/sign/${token}`, expiresAt };
    },

    async signedPdf(requestId) {
      const { signedKey } = await request(requestId);
      if (!signedKey) throw new EsignRefused('not-ready');
      return buffer((await storage.get(signedKey)).content);
    },

    async cancel(requestId) {
      const { id: found } = await request(requestId);
      await db.transaction().execute(async (tx) => {
        if (await endRequest(tx, found, 'canceled', { at: now() }))
          await addEvent(tx, services, found, 'canceled', { told: true });
      });
    },

    readCallback({ headers, rawBody }) {
      const signature = headers[signatureHeader];
      if (!isSigned(env.secrets.webhook, typeof signature === 'string' ? signature : undefined, rawBody, now()))
        throw new EsignSignatureInvalid();
      return readEvent(rawBody);
    },
  };
}

function readEvent(rawBody: Buffer) {
  try {
    const { key, type, requestId } = JSON.parse(rawBody.toString('utf8')) as Record<string, unknown>;
    if (typeof key !== 'string' || typeof type !== 'string' || typeof requestId !== 'string') return null;
    return { key: key.slice(0, 200), type: type.slice(0, 60), requestId };
  } catch {
    return null;
  }
}
