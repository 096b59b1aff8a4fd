import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import { mayEnterOffice } from '#contract/sign-in/gate.ts';
import { languages, type Language } from '#contract/shapes.ts';
import type { Actor, AnyoneCtx, Caller, CtxOf, Services, Http, OfficeScope } from '#server/context.ts';
import { endedLinkRefusal } from '#server/ended-link.ts';
import { episodeOf } from '#server/episode-link.ts';
import { noteFirstUse, visitOf } from '#server/visit-link.ts';
import { noteSeen, visitorOf } from '#server/visitor-token.ts';
import { findCaller } from './caller.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { Refusal } from './refusal.ts';

export const sessionCookie = 'anteroom';

/** Identifies the caller, refuses those without access, and builds the handler's context. */
export async function contextFor<Who extends Access>(
  services: Services,
  access: Who,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<CtxOf<Who>> {
  const http = httpOf(services, req, reply);
  const named = http.header('x-office') || null;
  // A visitor's token is no session's.
  const token = access === 'visitor' ? undefined : sessionTokenOf(req);
  const base: AnyoneCtx = {
    ...services,
    caller: token ? await findCaller(services, { token, address: req.ip }, named) : null,
    namedOffice: named,
    language: languageOf(req.headers['accept-language']),
    requestId: req.id,
    http,
    inOffice: (officeId, actor) => officeScope(services, officeId, actor, req.id),
  };
  return (await admit[access](services, base, req)) as CtxOf<Who>;
}

const admit: Record<Access, (services: Services, ctx: AnyoneCtx, req: FastifyRequest) => Promise<unknown> | unknown> = {
  anyone: (_services, ctx) => ctx,
  person: (_services, ctx) => ({ ...ctx, caller: signedIn(ctx.caller) }),
  office(services, ctx) {
    const caller = signedIn(ctx.caller);
    const { office } = caller;
    if (!office) throw new Refusal(ctx.namedOffice && caller.memberOf > 0 ? 'office_not_found' : 'no_office');
    const { agreementSigned, authenticatorMissing } = office;
    if (!mayEnterOffice({ hellosignComplete: agreementSigned, authenticatorMissing }))
      throw new Refusal(agreementSigned ? 'authenticator_missing' : 'agreement_missing');
    const actor: Actor = { kind: 'staff', id: caller.personId, name: caller.personName };
    return {
      ...ctx,
      caller,
      npi: office.npi,
      timeZone: office.timeZone,
      ...officeScope(services, office.id, actor, ctx.requestId),
    };
  },
  async visit(services, ctx, req) {
    const token = (req.params as { token?: unknown }).token;
    const found = typeof token === 'string' ? await visitOf(services, token) : null;
    if (!found) throw await endedLinkRefusal(services, 'visit', token);
    const actor: Actor = { kind: 'patient', id: null, name: null };
    const { officeId, visitProved, ...link } = found;
    const scope = officeScope(services, officeId, actor, ctx.requestId);
    if (link.proved && !visitProved) await noteFirstUse(scope, link.visitId);
    return { ...ctx, token, ...link, ...scope };
  },
  async episode(services, ctx, req) {
    const token = (req.params as { token?: unknown }).token;
    const found = typeof token === 'string' ? await episodeOf(services, token) : null;
    if (!found) throw await endedLinkRefusal(services, 'episode', token);
    const { officeId, episodeId } = found;
    const scope = officeScope(services, officeId, { kind: 'patient', id: null, name: null }, ctx.requestId);
    return { ...ctx, episodeId, ...scope };
  },
  async visitor(services, ctx, req) {
    const token = bearerOf(req.headers.authorization);
    const found = token === undefined ? null : await visitorOf(services, token);
    if (!found) throw new Refusal('chat_ended');
    if (found.blockedAt !== null) throw new Refusal('chat_blocked');
    const { officeId, visitorId, conversationId } = found;
    const scope = officeScope(services, officeId, { kind: 'patient', id: null, name: null }, ctx.requestId);
    await noteSeen(scope, found);
    return { ...ctx, visitorId, conversationId, ...scope };
  },
};

function signedIn(caller: Caller | null): Caller {
  if (!caller) throw new Refusal('not_signed_in');
  if (caller.locked) throw new Refusal('session_locked');
  return caller;
}

/** Work inside one office, by a call or a job. Nested transactions join the open one. */
export function officeScope(services: Services, officeId: string, actor: Actor, requestId: string): OfficeScope {
  let open: Tx | null = null;
  return {
    ...services,
    officeId,
    actor,
    requestId,
    async transaction(work) {
      if (open) return work(open);
      return asOffice(services.db, officeId, async (tx) => {
        open = tx;
        try {
          return await work(tx);
        } finally {
          open = null;
        }
      });
    },
  };
}

/** The session's token: the bearer token, else the cookie. */
export function sessionTokenOf(req: FastifyRequest): string | undefined {
  return bearerOf(req.headers.authorization) ?? req.cookies[cookieName(req, sessionCookie)];
}

/** The token in an Authorization header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([A-Za-z0-9_-]{16,128})$/.exec(header ?? '')?.[1];
}

/** A cookie's full name: `__Host-` wherever browsers accept the prefix. */
function cookieName(req: FastifyRequest, name: string): string {
  return isSecureOrigin(req.protocol, req.hostname) ? `__Host-${name}` : name;
}

/** The first of our languages in an Accept-Language header. */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.find((word): word is Language => (languages as readonly string[]).includes(word)) ?? 'en';
}

/** Whether browsers accept a `__Host-` cookie here: on https or localhost. */
export function isSecureOrigin(protocol: string, hostname: string): boolean {
  return (
    protocol === 'https' ||
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127\./.test(hostname) ||
    hostname === '[::1]'
  );
}

function httpOf(services: Services, req: FastifyRequest, reply: FastifyReply): Http {
  const secure = isSecureOrigin(req.protocol, req.hostname);
  const nameOf = (name: string) => cookieName(req, name);
  return {
    address: req.ip,
    userAgent: (req.headers['user-agent'] ?? '').slice(0, 300),
    secure,
    cookie: (name) => req.cookies[nameOf(name)],
    setCookie: (name, value, maxAge) =>
      void reply.setCookie(nameOf(name), value, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }),
    clearCookie: (name) => void reply.clearCookie(nameOf(name), { path: '/', httpOnly: true, sameSite: 'lax', secure }),
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    setHeader: (name, value) => void reply.header(name, value),
  };
}
