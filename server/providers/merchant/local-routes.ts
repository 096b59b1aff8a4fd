import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '#server/context.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { decide, endLinks, formOfLink, saveAnswers, submit, type Decision } from './local-forms.ts';
import { mayFillForm } from '#contract/merchant.ts';
import { closedPage, stepPage } from './local-page/page.ts';
import { answersOf, type FormAnswers, type FormRow } from './local-sql.ts';
import { formSteps, readStep, type FieldName, type FormStep } from './local-steps.ts';

/** The local provider's hosted form: without a session, opened by a link that works for an hour. */
export function localMerchantRoutes(app: FastifyInstance): void {
  const { services } = app;
  app.get('/merchant/assets/page.css', async (_req, reply) => {
    const style = pageStyle('server/providers/merchant/local-page/page.css');
    return reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style);
  });

  void app.register(async (pages) => {
    // The form's buttons post urlencoded bodies, which the JSON parser would refuse.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 20_000 },
      (_req, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    pages.get('/merchant/form/:token', (req, reply) => showForm(services, req, reply));
    pages.post('/merchant/form/:token/:verb', async (req, reply) => {
      const opened = await formOfLink(services, tokenOf(req));
      if (!opened) return unknownPage(services, reply);
      const { form, expired } = opened;
      const { verb } = req.params as { verb: string };
      const step = formSteps.find((name) => name === verb);
      if (services.env.demo && verb === 'decide') return pressDecide(services, form, req, reply);
      if (expired) return goTo(services, reply, form.expiredUrl);
      if (!mayFillForm(form.state)) return goTo(services, reply, pathOf(req));
      if (step) return pressNext(services, form, step, req, reply);
      if (!services.env.demo || verb !== 'expire') return unknownPage(services, reply);
      await endLinks(services, form.id);
      return goTo(services, reply, form.expiredUrl);
    });
  });
}

/** Opens at the first step that is not complete, or at an earlier one that the address names. */
async function showForm(services: Services, req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await formOfLink(services, tokenOf(req));
  if (!opened) return unknownPage(services, reply);
  const { form, expired } = opened;
  const { productName, demo } = services.env;
  if (!mayFillForm(form.state)) {
    const decidePath = demo && form.state === 'processing' ? { decidePath: `${pathOf(req)}/decide` } : {};
    return html(
      reply,
      closedPage(productName, form.language, form.state, { backTo: returnPath(services, form), ...decidePath }),
    );
  }
  if (expired) return goTo(services, reply, form.expiredUrl);
  const stepIndex = formSteps.findIndex((name) => name === (req.query as { step?: string }).step);
  const at = Math.min(stepIndex < 0 ? form.done : Math.min(stepIndex, form.done), formSteps.length - 1);
  return showStep(services, form, formSteps[at] ?? 'consent', req, reply);
}

function showStep(
  services: Services,
  form: FormRow,
  step: FormStep,
  req: FastifyRequest,
  reply: FastifyReply,
  problems: { typed?: FormAnswers; wrong?: readonly FieldName[] } = {},
): FastifyReply {
  const { typed = {}, wrong = [] } = problems;
  const { productName: product, demo } = services.env;
  const stored = answersOf(form);
  const values = { ...stored, ...typed };
  const isReturned = form.state === 'update-requested';
  const page = stepPage({
    isReturned,
    product,
    language: form.language,
    path: pathOf(req),
    step,
    values,
    stored,
    wrong,
    demo,
  });
  return html(wrong.length > 0 ? reply.code(400) : reply, page);
}

/** Saves a step and goes on to the next; the last one submits the form, if all others are complete. */
async function pressNext(
  services: Services,
  form: FormRow,
  step: FormStep,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = formSteps.indexOf(step);
  if (at > form.done) return goTo(services, reply, pathOf(req));
  const typed = typedOf(req);
  const { answers, wrong } = readStep(step, typed, answersOf(form), services.now());
  if (wrong.length > 0) return showStep(services, form, step, req, reply, { typed, wrong });
  await saveAnswers(services, form, answers, at + 1);
  const next = formSteps[at + 1];
  if (next) return goTo(services, reply, `${pathOf(req)}?step=${next}`);
  const saved = (await formOfLink(services, tokenOf(req)))?.form ?? form;
  const identityId = await submit(services, saved, services.env.demo ? decisionOf(typed) : 'approved');
  if (identityId === null) return goTo(services, reply, pathOf(req));
  return goTo(services, reply, `${saved.returnUrl}&identityId=${identityId}`);
}

/** Ends the review, to try out what happens then. */
async function pressDecide(services: Services, form: FormRow, req: FastifyRequest, reply: FastifyReply) {
  const typed = typedOf(req);
  const decision = typed.review === 'update-requested' ? typed.review : decisionOf(typed);
  if (decision) await decide(services, form.id, decision);
  return goTo(services, reply, pathOf(req));
}

const decisionOf = ({ review }: FormAnswers): Decision =>
  review === undefined || review === 'approved' ? 'approved' : review === 'rejected' ? 'rejected' : null;

const tokenOf = (req: FastifyRequest) => (req.params as { token: string }).token;
const pathOf = (req: FastifyRequest) => `/merchant/form/${encodeURIComponent(tokenOf(req))}`;
const typedOf = (req: FastifyRequest) => (req.body ?? {}) as FormAnswers;

/** Our own addresses as paths, so that the browser stays at the address under which it opened the panel. */
const pathIn = ({ env }: Services, url: string) =>
  url.startsWith(env.publicUrl) ? url.slice(env.publicUrl.length) : url;
const returnPath = (services: Services, form: FormRow) =>
  pathIn(services, form.identityId ? `${form.returnUrl}&identityId=${form.identityId}` : form.returnUrl);

const goTo = (services: Services, reply: FastifyReply, url: string) => reply.redirect(pathIn(services, url), 303);

function unknownPage({ env }: Services, reply: FastifyReply): FastifyReply {
  return html(reply.code(404), closedPage(env.productName, 'en', 'unknown', { backTo: '/apply' }));
}

function html(reply: FastifyReply, page: string): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      // With no-referrer, browsers post the form with "Origin: null", which is refused as another site's.
      .header('referrer-policy', 'same-origin')
      .send(page)
  );
}
