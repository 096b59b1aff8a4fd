import type { FastifyInstance, FastifyReply } from 'fastify';
import { htmlPage } from '#server/kit/http/html-page.ts';
import { escapeHtml } from '#server/kit/http/openapi-page.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { confirmOffice } from './confirm-practice.ts';
import { limitedPractices, type LimitedPractice } from './limited-practices.ts';
import { isPermitted, operatorPagePath, signPermission } from './operator-link.ts';
import { findOfficeName } from './sql.ts';

/** How long a button on the page works. */
const buttonSeconds = 15 * 60;

/**
 * The operator's page: the limited practices, each with a button that confirms it. There are no operator accounts; the page opens only
 * from the signed link in the operator's email, and each button carries a signature of its own for one practice.
 */
export function operatorPageRoutes(app: FastifyInstance): void {
  const { services } = app;
  const page = async (reply: FastifyReply, done: string | null) =>
    asPage(reply).send(pageOf(services.env.productName, await limitedPractices(services), done, buttonOf));
  const buttonOf = ({ id }: LimitedPractice) =>
    `${operatorPagePath}/${id}/confirm?${signPermission(services, `confirm ${id}`, buttonSeconds)}`;

  void app.register(async (own) => {
    // The button's form posts an empty urlencoded body, which the JSON parser would refuse.
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1_000 }, (_req, _body, done) => done(null, null));

    own.get(operatorPagePath, async (req, reply) => {
      if (!isPermitted(services, 'list', req.query))
        return asPage(reply).code(403).send(expiredPage(services.env.productName));
      return page(reply, null);
    });

    own.post(`${operatorPagePath}/:officeId/confirm`, async (req, reply) => {
      const { officeId } = req.params as { officeId: string };
      if (!isPermitted(services, `confirm ${officeId}`, req.query))
        return asPage(reply).code(403).send(expiredPage(services.env.productName));
      const scope = officeScope(services, officeId, { kind: 'operator', id: null, name: null }, req.id);
      const name = await scope.transaction(async (tx) => {
        const officeName = await findOfficeName(tx, officeId);
        if (officeName === undefined) throw new Refusal('office_not_found');
        await confirmOffice(tx, scope, 'operator');
        return officeName;
      });
      return page(reply, name);
    });

    own.get(`${operatorPagePath}/page.css`, async (_req, reply) => reply.type('text/css; charset=utf-8').send(style));
  });
}

function asPage(reply: FastifyReply): FastifyReply {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('x-robots-tag', 'noindex, nofollow, noarchive')
      // With no-referrer, browsers post the form with "Origin: null", which is refused as another site's.
      .header('referrer-policy', 'same-origin')
      .header('content-language', 'en')
  );
}

function pageOf(
  product: string,
  practices: LimitedPractice[],
  done: string | null,
  buttonOf: (practice: LimitedPractice) => string,
): string {
  const rows = practices.map(
    (practice) => `<li>
<h2>${escapeHtml(practice.name)}</h2>
<dl>
<dt>NPI</dt><dd>${escapeHtml(practice.npi)}${practice.npiProvisional ? ' (provisional: the practice gave none)' : ''}</dd>
<dt>NPPES lists</dt><dd>${practice.listedAs === null ? 'nothing for this NPI' : escapeHtml(practice.listedAs)}</dd>
<dt>Address</dt><dd>${escapeHtml(practice.address)}</dd>
<dt>Staff</dt><dd>${escapeHtml(practice.registeredBy)}</dd>
<dt>Registered</dt><dd>${practice.createdAt.toISOString().slice(0, 10)}, agreement ${practice.isSigned ? 'signed' : 'not signed yet'}</dd>
</dl>
<form method="post" action="${escapeHtml(buttonOf(practice))}">
<button aria-label="Confirm ${escapeHtml(practice.name)}">Confirm</button>
</form>
</li>`,
  );
  return frame(
    product,
    'Practices to confirm',
    `${done === null ? '' : `<p class="done" role="status">${escapeHtml(done)} is confirmed.</p>`}
<p>Call the practice on a number you know before you confirm it. A confirmed practice can text any patient in its own words.</p>
${rows.length === 0 ? '<p>Every practice is confirmed.</p>' : `<ul>${rows.join('\n')}</ul>`}`,
  );
}

const expiredPage = (product: string) =>
  frame(
    product,
    'This link has expired',
    `<p>Open the newest email about new practices again, or use the command line: <code>script/anteroom office limited</code> and <code>script/anteroom office confirm NPI</code>.</p>`,
  );

const frame = (product: string, title: string, main: string) =>
  htmlPage({
    language: 'en',
    title: `${title} - ${product}`,
    style: `${operatorPagePath}/page.css`,
    head: '<meta name="robots" content="noindex, nofollow">\n',
    body: `<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>`,
  });

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f5f6f8, #15181c); color: light-dark(#1b2026, #e9ecef); }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem; }
ul { list-style: none; padding: 0; }
li { background: light-dark(#fff, #1f242a); border: 1px solid light-dark(#d6dae0, #3a424c); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
h2 { margin: 0 0 .5rem; font-size: 1.1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { color: light-dark(#4d5763, #b4bdc7); }
dd { margin: 0; overflow-wrap: anywhere; }
button { font: inherit; min-height: 44px; padding: 0 1.25rem; border: 0; border-radius: 6px; background: #14559c; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid light-dark(#14559c, #9cc8ff); outline-offset: 2px; }
.done { padding: .75rem 1rem; border-radius: 6px; background: light-dark(#e2f3e6, #1d3a26); }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
`;
