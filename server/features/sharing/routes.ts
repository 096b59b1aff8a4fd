import type { FastifyInstance } from 'fastify';
import { sharing } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { endShare, listFormShares, listShares, makeShare, revokeShare } from './share-links.ts';
import { openSharedForm, readSharedForms } from './open-shared-form.ts';

export function sharingRoutes(app: FastifyInstance): void {
  route(app, sharing.listShares, (ctx) => listShares(ctx));
  route(app, sharing.makeShare, (ctx, { body }) => makeShare(ctx, body));
  route(app, sharing.revokeShare, (ctx, { params }) => revokeShare(ctx, params.shareId));
  route(app, sharing.listFormShares, (ctx, { query }) => listFormShares(ctx, query.key));
  route(app, sharing.endShare, (ctx, { params }) => endShare(ctx, params.shareId));
  route(app, sharing.readSharedForms, (ctx, { query }) => readSharedForms(ctx, query));
  route(app, sharing.openSharedForm, (ctx, { query }) => openSharedForm(ctx, query));
}
