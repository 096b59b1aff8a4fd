import type { IncomingMessage, Server as HttpServer } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import proxyAddress from '@fastify/proxy-addr';
import { mayEnterOffice } from '#contract/sign-in/gate.ts';
import { findCaller } from '#server/kit/http/caller.ts';
import { sessionCookie, visitOf } from '#server/kit/http/request-context.ts';
import { isOwnOrigin } from '#server/kit/http/browser-rules.ts';
import { networkOf } from '#server/kit/http/client-network.ts';
import { lineRoom, officeRoom, personRoom, unprovedRoom, visitRoom, type Listener } from '#server/kit/live/live.ts';
import type { Services } from './context.ts';

/** Accepts live connections on the server, from our own pages only, and sends each the hints it may receive. */
export function openSockets(services: Services, server: HttpServer): Promise<void> {
  const { publicUrl, trustProxy } = services.env;
  const { protocol } = new URL(publicUrl);
  const isTrusted = trustProxy === false ? () => false : proxyAddress.compile(trustProxy.split(','));
  return services.live.open(server, {
    whoIs: (req, subscription) => whoListens(services, req, subscription),
    async personOf(req) {
      const token = sessionTokenOf(req);
      if (token === undefined) return null;
      await services.visitorPace.wait(proxyAddress(req, isTrusted), undefined);
      return (await findCaller(services, token, null))?.personId ?? null;
    },
    allowOrigin: (origin, host) => isOwnOrigin(origin, `${protocol}//${host}`, services.env),
    networkOf: (req) => networkOf(proxyAddress(req, isTrusted)),
  });
}

/**
 * Who a connection belongs to: a panel by its session and office, or a phone by its visit's token. Anyone else is refused. A locked
 * panel still gets hints: they carry no patient's data, and arrivals ring behind the lock.
 */
export async function whoListens(
  services: Services,
  req: IncomingMessage,
  subscription: unknown,
): Promise<Listener | null> {
  const { office, visit, token } = subscription as { office?: unknown; visit?: unknown; token?: unknown };
  if (typeof visit === 'string') {
    const found = await visitOf(services, visit);
    if (!found) return null;
    const { visitId, officeId, proved, visitProved } = found;
    if (proved) return { rooms: [visitRoom(visitId), lineRoom(officeId)], sessionId: null };
    // An unproved link gets the visit's hints until a proved one is used, from then on the line's.
    const rooms = [unprovedRoom(visitId), lineRoom(officeId)];
    if (visitProved) return { rooms, sessionId: null };
    const roomsLost = async () => ((await visitOf(services, visit))?.visitProved === false ? [] : [visitRoom(visitId)]);
    return { rooms: [...rooms, visitRoom(visitId)], roomsLost, sessionId: null };
  }
  const session = typeof token === 'string' ? token : sessionTokenOf(req);
  const caller =
    session === undefined ? null : await findCaller(services, session, typeof office === 'string' ? office : null);
  if (!caller?.office || caller.secondStepDue) return null;
  const { agreementSigned: hellosignComplete, authenticatorMissing } = caller.office;
  if (!mayEnterOffice({ hellosignComplete, authenticatorMissing })) return null;
  return {
    rooms: [officeRoom(caller.office.id), personRoom(caller.office.id, caller.personId)],
    sessionId: caller.sessionId,
  };
}

/** The session token in a panel's cookie. */
function sessionTokenOf(req: IncomingMessage): string | undefined {
  const cookies = fastifyCookie.parse(req.headers.cookie ?? '');
  return cookies[`__Host-${sessionCookie}`] ?? cookies[sessionCookie];
}
