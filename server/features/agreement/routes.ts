import type { FastifyInstance } from 'fastify';
import { agreement } from '#contract/index.ts';
import { rawRoute, readInput, route } from '#server/kit/http/route.ts';
import { receiveCallback } from './provider-callback.ts';
import { downloadAgreement } from './download-agreement.ts';
import { confirmSigned, retrieveSigning } from './signing.ts';
import { readStatus } from './agreement-status.ts';

export function agreementRoutes(app: FastifyInstance): void {
  route(app, agreement.readAgreement, (ctx) => readStatus(ctx));
  route(app, agreement.downloadAgreement, (ctx) => downloadAgreement(ctx));
  route(app, agreement.retrieveSigning, (ctx, { params, body }) => retrieveSigning(ctx, params.esign, body));
  route(app, agreement.confirmSigned, (ctx, { params, body }) => confirmSigned(ctx, params.esign, body.id));
  void app.register(async (provider) => {
    // The body stays raw: the signature is over the bytes, and each provider has its own form.
    provider.removeAllContentTypeParsers();
    provider.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256_000 }, (_req, body, done) =>
      done(null, body),
    );
    rawRoute(provider, agreement.hearEsign, async (req, reply) => {
      const { params } = readInput(agreement.hearEsign, req);
      const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const call = { headers: req.headers, rawBody, url: req.url };
      const answer = await receiveCallback(app.services, params.esign, call, req.id);
      return reply.type(answer.contentType).send(answer.body);
    });
  });
}
