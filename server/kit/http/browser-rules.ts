import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Env } from '#server/env.ts';
import { isLoopback } from './loopback.ts';
import { Refusal } from './refusal.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // Covers our own WebSocket too: Chrome since 71, Firefox, Safari since 16.
  "connect-src 'self'",
  "media-src 'self' data:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The security headers of every answer. */
export const answerHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(self), usb=()',
  'cache-control': 'no-store',
  // Search engines list one page, which takes this header back: the tour.
  'x-robots-tag': 'noindex',
};

/** The policy of a page that our own pages and these origins may show in a frame, or any website. It replaces X-Frame-Options too. */
export function policyFramedBy(origins: readonly string[] | 'any'): string {
  const ancestors = origins === 'any' ? '*' : ["'self'", ...origins].join(' ');
  return policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`);
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Adds the security headers to every answer, and checks the origin of every unsafe request. `frameSources` may be framed by our pages. */
export function browserRules(app: FastifyInstance, frameSources: readonly string[] = []): void {
  const framing = policy.replace("frame-src 'self'", ["frame-src 'self'", ...frameSources].join(' '));
  const headers = { ...answerHeaders, 'content-security-policy': framing };
  app.addHook('onRequest', async (req, reply) => {
    reply.headers(headers);
    if (req.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (!safeMethods.has(req.method) && !cameFromUs(req)) throw new Refusal('wrong_origin');
  });
}

/** Browsers send the origin of an unsafe request. Other callers send none, but have no cookies that another site could abuse. */
function cameFromUs(req: FastifyRequest): boolean {
  const { origin } = req.headers;
  if (origin !== undefined) return isOwnOrigin(origin, `${req.protocol}://${req.host}`, req.server.services.env);
  const site = req.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/**
 * Whether pages of this origin are ours, scheme and port included. In production only PUBLIC_URL is: a Host or X-Forwarded-Host header from
 * a proxy proves nothing. Elsewhere the requested address counts too, such as 127.0.0.1 instead of localhost.
 */
export function isOwnOrigin(
  origin: string,
  requestedUrl: string,
  { publicUrl, production }: Pick<Env, 'publicUrl' | 'production'>,
): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return !production && URL.canParse(requestedUrl) && origin === new URL(requestedUrl).origin;
}

/**
 * Refuses `/dev/*` under a foreign host name. The demo's outbox holds sign-in codes, and a web page whose name was rebound to 127.0.0.1
 * could read it, but the browser still sends that page's name as Host.
 */
export function guardDemoPages(app: FastifyInstance): void {
  const { publicUrl, trustProxy } = app.services.env;
  const publicName = new URL(publicUrl).hostname;
  app.addHook('onRequest', async (req) => {
    if (!/^\/dev(\/|$)/.test(req.routeOptions.url ?? '')) return;
    const name = hostNameOf(req);
    if (!isLoopback(name) && name !== publicName) throw new Refusal('wrong_host');
    // A proxy on this machine may rewrite Host to localhost for remote visitors.
    const isForwarded = Object.keys(req.headers).some((header) => forwardingHeader.test(header));
    // nginx adds no header and speaks HTTP/1.0 unless it is configured otherwise. Browsers speak 1.1.
    if (!isForwarded && req.raw.httpVersion === '1.0') throw new Refusal('proxy_not_set_up');
    if (isForwarded && (trustProxy === false || (!isLoopback(req.ip) && isLoopback(publicName))))
      throw new Refusal('proxy_not_set_up');
  });
}

/** Headers by which proxies and content delivery networks name the visitor or themselves. No browser sends them. */
const forwardingHeader =
  /^(x-forwarded.*|x-envoy-.*|x-amzn-.*|x-azure-.*|cf-.*|fastly-.*|cdn-loop|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip)$/;

/**
 * Refuses a foreign host name on the operator's port, which needs no password: a web page whose name was rebound to this machine could read
 * the metrics. Such a page needs a name with a dot; it can never have an IP address or a name without one.
 */
export function guardOperatorPort(app: FastifyInstance): void {
  const { publicUrl, operatorListen } = app.services.env;
  const ownNames = new Set([new URL(publicUrl).hostname, operatorListen?.host.toLowerCase()]);
  app.addHook('onRequest', async (req) => {
    const name = hostNameOf(req);
    const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0;
    if (!isAddress && !isLoopback(name) && name.includes('.') && !ownNames.has(name))
      throw new Refusal('wrong_operator_host');
  });
}

/** The name or address in the Host header; empty if there is none. */
function hostNameOf(req: FastifyRequest): string {
  const url = `http://${req.headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}
