import type { FastifyReply, FastifyRequest } from 'fastify';
import { formsFilling } from '#contract/index.ts';
import type { EndedLink } from '#contract/ended-link.ts';
import type { PatientBoot } from '#contract/patient/page-boot.ts';
import { asksWhoComes } from '#contract/patient/visit.ts';
import type { AnyoneCtx, Services } from '#server/context.ts';
import { listVisitForms } from '#server/features/forms/index.ts';
import { contextFor } from '#server/kit/http/request-context.ts';
import { endedLinkRefusal } from '#server/ended-link.ts';
import { visitOf } from '#server/visit-link.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { readOfficeFront } from './check-in.ts';
import { conditionalRequest } from '#server/kit/http/versioned-reply.ts';
import { officeFrontOf } from './office-front.ts';
import { updateVisitCookie } from './visit-cookie.ts';
import { readVisitPage } from './visit-actions.ts';

/**
 * The data embedded in the patient's page, so that the first paint needs no call; sets status 404 if the address names nothing. Null for a
 * visitor over the rate limit: that page carries no data and calls the API itself.
 */
export async function patientBoot(
  services: Services,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<PatientBoot | null> {
  const path = new URL(req.url, 'http://page').pathname;
  const token =
    /^\/(?:c\/t\/([A-Za-z0-9_-]{22,64})|visit\/([A-Za-z0-9_-]{22,64})(?:\/forms\/(?:share|[0-9a-f-]{36}\/[a-z0-9-]{1,64}(?:\/[a-z0-9]+)?))?)\/?$/
      .exec(path)
      ?.slice(1)
      .find(Boolean);
  const npi = /^\/c\/([^/]+)\/?$/.exec(path)?.[1];
  const busy = await services.visitorPace.wait(req.ip, token).then(() => null, (error: Refusal) => error); // prettier-ignore
  if (busy) {
    reply.code(busy.status).header('retry-after', busy.retryAfterSeconds);
    return null;
  }
  const ctx = await contextFor(services, 'anyone', req, reply);
  try {
    if (token !== undefined) return await visitBoot(ctx, token);
    return { front: await readOfficeFront(ctx, npi ?? ''), visit: null, forms: null, refused: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reply.code(error.status);
    const endedLink = error.code === 'visit_link_ended' ? (error.current as EndedLink | undefined) : undefined;
    return { front: null, visit: null, forms: null, refused: error.code, ...(endedLink && { endedLink }) };
  }
}

async function visitBoot(ctx: AnyoneCtx, token: string): Promise<PatientBoot> {
  const found = await visitOf(ctx, token);
  if (!found) throw await endedLinkRefusal(ctx, 'visit', token);
  const scope = ctx.inOffice(found.officeId, { kind: 'patient', id: null, name: null });
  const link = { ...ctx, ...found, ...scope, token };
  const { page: visit } = await readVisitPage(link, { live: false });
  if (!visit) throw new Refusal('visit_link_ended');
  updateVisitCookie(link, visit);
  if (!asksWhoComes(visit)) {
    const ofForms = conditionalRequest(link, formsFilling.listVisitForms, { params: { token } }, null);
    const forms = visit.access === 'status' ? null : await listVisitForms(link, ofForms).catch(withoutProof);
    return { front: null, visit, forms: forms && forms.body, ...(forms && { formsEtag: forms.etag }), refused: null };
  }
  const office = await scope.transaction((tx) => officeFrontOf(tx, scope));
  return { front: { office, running: null }, visit, forms: null, refused: null };
}

/** A texted link of the visit was used in this moment: from now on this page shows the status only. */
function withoutProof(error: unknown): null {
  if (error instanceof Refusal && error.code === 'link_not_proved') return null;
  throw error;
}
