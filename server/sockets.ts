import type { IncomingMessage, Server as HttpServer } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import proxyAddress from '@fastify/proxy-addr';
import { mayEnterOffice } from '#contract/sign-in/gate.ts';
import { findCaller } from '#server/kit/http/caller.ts';
import { sessionCookie } from '#server/kit/http/request-context.ts';
import { isOwnOrigin } from '#server/kit/http/browser-rules.ts';
import { networkOfAddress, siteOfNetwork } from '#server/kit/http/client-network.ts';
import {
  officePhonesRoom,
  officeRoom,
  personRoom,
  unprovedRoom,
  visitorRoom,
  visitRoom,
  type Listener,
} from '#server/kit/live/live.ts';
import type { Services } from './context.ts';
import { visitOf } from './visit-link.ts';
import { visitorOf } from './visitor-token.ts';

/**
 * How many connections may be open: the phones of one visit, the pages of one website visitor, all phones and
 * visitors of one network, the panels of one session. A clinic with 200 phones
 * and 60 desks behind one NAT, each with several tabs, stays far below. A stranger gets a visit's link for nothing, and without
 * these limits one link could take all connections that the process may have.
 */
const connectionLimits = { visit: 20, visitor: 10, network: 1_000, site: 16_000, session: 50 };

/** Accepts live connections on the server, from our own pages only, and sends each the hints it may receive. */
export function openSockets(services: Services, server: HttpServer): Promise<void> {
  const { publicUrl, trustProxy } = services.env;
  const { protocol } = new URL(publicUrl);
  const isTrusted = trustProxy === false ? () => false : proxyAddress.compile(trustProxy.split(','));
  return services.live.open(server, {
    whoIs: (req, subscription) => whoListens(services, req, proxyAddress(req, isTrusted), subscription),
    async personOf(req) {
      const token = sessionTokenOf(req);
      if (token === undefined) return null;
      const address = proxyAddress(req, isTrusted);
      await services.visitorPace.wait(address, token);
      return (await findCaller(services, { token, address }, null))?.personId ?? null;
    },
    allowOrigin: (origin, host) => isOwnOrigin(origin, `${protocol}//${host}`, services.env),
    networksOf(req) {
      const network = networkOfAddress(proxyAddress(req, isTrusted));
      return { network, site: siteOfNetwork(network) };
    },
  });
}

/**
 * Who a connection belongs to: a panel by its session and office, a phone by its visit's token, or a website visitor by their chat's token.
 * Anyone else is refused. A locked
 * panel still gets hints: they carry no patient's data, and arrivals ring behind the lock.
 */
async function whoListens(
  services: Services,
  req: IncomingMessage,
  address: string,
  subscription: unknown,
): Promise<Listener | null> {
  const { office, visit, visitor, token } = subscription as Record<'office' | 'visit' | 'visitor' | 'token', unknown>;
  if (typeof visitor === 'string') return visitorListens(services, address, visitor);
  if (typeof visit === 'string') {
    await services.visitorPace.wait(address, visit);
    const found = await visitOf(services, visit);
    if (!found) return null;
    const { visitId, officeId, proved, visitProved } = found;
    const limits = [{ key: `connections:visit:${visitId}`, atMost: connectionLimits.visit }, ...networkLimits(address)];
    const phone = { limits, sessionId: null };
    if (proved) return { ...phone, rooms: [visitRoom(visitId), officePhonesRoom(officeId)] };
    // An unproved link gets the visit's hints until a proved one is used, from then on the line's.
    const rooms = [unprovedRoom(visitId), officePhonesRoom(officeId)];
    if (visitProved) return { ...phone, rooms };
    const roomsLost = async () => ((await visitOf(services, visit))?.visitProved === false ? [] : [visitRoom(visitId)]);
    return { ...phone, rooms: [...rooms, visitRoom(visitId)], roomsLost };
  }
  const session = typeof token === 'string' ? token : sessionTokenOf(req);
  if (session === undefined) return null;
  const caller = await findCaller(services, { token: session, address }, typeof office === 'string' ? office : null);
  if (!caller?.office || caller.secondStepDue) return null;
  const { agreementSigned: hellosignComplete, authenticatorMissing } = caller.office;
  if (!mayEnterOffice({ hellosignComplete, authenticatorMissing })) return null;
  return {
    rooms: [officeRoom(caller.office.id), personRoom(caller.office.id, caller.personId)],
    limits: [{ key: `connections:session:${caller.sessionId}`, atMost: connectionLimits.session }],
    sessionId: caller.sessionId,
  };
}

async function visitorListens(services: Services, address: string, token: string): Promise<Listener | null> {
  await services.visitorPace.wait(address, token);
  const found = await visitorOf(services, token);
  if (!found || found.blockedAt !== null) return null;
  const { conversationId } = found;
  const key = `connections:visitor:${conversationId}`;
  return {
    rooms: [visitorRoom(conversationId)],
    limits: [{ key, atMost: connectionLimits.visitor }, ...networkLimits(address)],
    sessionId: null,
  };
}

/** How many connections an address's network may have, and for IPv6 its /48. */
function networkLimits(address: string) {
  const network = networkOfAddress(address);
  const site = siteOfNetwork(network);
  const limits = [{ key: `connections:network:${network}`, atMost: connectionLimits.network }];
  if (site !== null) limits.push({ key: `connections:site:${site}`, atMost: connectionLimits.site });
  return limits;
}

/** The session token in a panel's cookie. */
function sessionTokenOf(req: IncomingMessage): string | undefined {
  const cookies = fastifyCookie.parse(req.headers.cookie ?? '');
  return cookies[`__Host-${sessionCookie}`] ?? cookies[sessionCookie];
}
