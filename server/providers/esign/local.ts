import { buffer } from 'node:stream/consumers';
import { readCallback } from './local-callbacks.ts';
import {
  cancelRequest,
  createRequest,
  makeLink,
  readRequest,
  requireRequest,
  type LocalEsignServices,
} from './local-requests.ts';
import { requestIdOf } from './local-sql.ts';
import { EsignRefused, type Esign } from './port.ts';

/**
 * The local e-signature provider: keeps requests and their trail as a vendor would, outside every office (local-requests.ts). Its signing
 * page is local-routes.ts, its callbacks local-callbacks.ts.
 */
export function localEsign(services: LocalEsignServices): Esign {
  // A request has one signature here, so both have the same id.
  const idsOf = (requestId: string) => ({ requestId, signatureId: requestId });
  return {
    name: 'local',
    client: { kind: 'page' },
    frameSources: [],
    callbackReply: { contentType: 'application/json', body: '{"received":true}' },
    create: async (ask) => idsOf(await createRequest(services, ask)),
    async find(reference) {
      const requestId = await requestIdOf(services.db, reference);
      return requestId === undefined ? null : idsOf(requestId);
    },
    read: (requestId) => readRequest(services, requestId),
    mintLink: ({ requestId }, person) => makeLink(services, requestId, person),
    async signedPdf(requestId) {
      const { signedKey } = await requireRequest(services, requestId);
      if (!signedKey) throw new EsignRefused('not-ready');
      return buffer((await services.storage.get(signedKey)).content);
    },
    cancel: (requestId) => cancelRequest(services, requestId),
    readCallback: (call) => readCallback(services, call),
  };
}
