import type { FastifyInstance } from 'fastify';
import { sharing } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { endShare, listFormShares, listShares, makeShare, revokeShare } from './share-links.ts';
import { openSharedForm, readSharedForms } from './open-shared-form.ts';

export function sharingRoutes(app: FastifyInstance): void {
  versionedRoute(app, sharing.listShares, (ctx, _input, known) => listShares(ctx, known));
  route(app, sharing.makeShare, (ctx, { body }) => makeShare(ctx, body));
  route(app, sharing.revokeShare, (ctx, { params }) => revokeShare(ctx, params.shareId));
  versionedRoute(app, sharing.listFormShares, (ctx, { query }, known) => listFormShares(ctx, query.key, known));
  route(app, sharing.endShare, (ctx, { params }) => endShare(ctx, params.shareId));
  route(app, sharing.readSharedForms, (ctx, { query }) => readSharedForms(ctx, query));
  route(app, sharing.openSharedForm, (ctx, { query }) => openSharedForm(ctx, query));
}
