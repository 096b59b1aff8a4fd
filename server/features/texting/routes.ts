import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { texting } from '#contract/index.ts';
import type { Services } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { rawRoute, readInput } from '#server/kit/http/route.ts';
import { SmsSignatureInvalid } from '#server/providers/sms/port.ts';
import { receiveReply, receiveReport, type TakeHere } from './carrier-callbacks.ts';

/** The carrier's callbacks; `takeHere` checks in whoever texts HERE. Bodies stay raw: the signature covers the bytes, and each carrier has its own format. */
export function textingRoutes(app: FastifyInstance, takeHere: TakeHere): void {
  void app.register(async (carrier) => {
    carrier.removeAllContentTypeParsers();
    carrier.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64_000 }, (_req, body, done) => done(null, body));
    rawRoute(
      carrier,
      texting.reportText,
      callback(texting.reportText, (services, report) => receiveReport(services, report)),
    );
    rawRoute(
      carrier,
      texting.receiveText,
      callback(texting.receiveText, (services, reply, id) => receiveReply(services, reply, id, takeHere)),
    );
  });
}

/** Checks the signature, then the contract, then calls the handler. */
function callback<B>(
  e: Endpoint<{ received: boolean }, undefined, undefined, B, Access>,
  handle: (services: Services, message: B, requestId: string) => Promise<void>,
): RouteHandlerMethod {
  return async (req, reply) => {
    const { services } = req.server;
    const { body } = readInput(e, { params: {}, query: {}, body: readSigned(services, req) });
    await handle(services, body, req.id);
    const { callbackReply } = services.providers.sms;
    if (callbackReply) return reply.type(callbackReply.contentType).send(callbackReply.body);
    return { received: true };
  };
}

function readSigned(services: Services, req: FastifyRequest): unknown {
  const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  try {
    return services.providers.sms.readCallback({ headers: req.headers, rawBody, url: req.url });
  } catch (error) {
    if (error instanceof SmsSignatureInvalid) throw new Refusal('wrong_signature');
    throw error;
  }
}
