import type { FastifyInstance } from 'fastify';
import { team } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { listTeam, removeColleague } from './colleagues.ts';
import { inviteColleague, resendInvitation, revokeInvitation } from './invitations.ts';
import { acceptInvitation, declineInvitation, joinOffice, readInvitation } from './join-team.ts';

export function teamRoutes(app: FastifyInstance): void {
  route(app, team.listTeam, (ctx) => listTeam(ctx));
  route(app, team.inviteColleague, (ctx, { body }) => inviteColleague(ctx, body));
  route(app, team.resendInvitation, (ctx, { params }) => resendInvitation(ctx, params.invitationId));
  route(app, team.revokeInvitation, (ctx, { params }) => revokeInvitation(ctx, params.invitationId));
  route(app, team.removeColleague, (ctx, { params }) => removeColleague(ctx, params.personId));
  route(app, team.readInvitation, (ctx, { params }) => readInvitation(ctx, params.token));
  route(app, team.acceptInvitation, (ctx, { params }) => acceptInvitation(ctx, params.token));
  route(app, team.joinOffice, (ctx, { params }) => joinOffice(ctx, params.invitationId));
  route(app, team.declineInvitation, (ctx, { params }) => declineInvitation(ctx, params.invitationId));
}
