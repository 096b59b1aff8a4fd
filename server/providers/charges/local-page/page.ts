import type { Language } from '#contract/shapes.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import { cardFormMessages } from '#server/providers/charges/local-messages.ts';
import type { LocalTransfer } from '#server/providers/charges/local-sql.ts';

const dollars = (cents: number, language: Language) =>
  new Intl.NumberFormat(`${language}-US`, { style: 'currency', currency: 'USD' }).format(cents / 100);

/** The card form, to be shown in a frame. Its script posts the card's token to the page around it. */
export function cardFormPage(product: string, language: Language, amountCents: number): string {
  const t = cardFormMessages[language];
  const field = (id: string, label: string, attributes: string, help = '') => `
  <div class="field">
    <label for="${id}">${e(label)}</label>
    <input id="${id}" name="${id}" required aria-describedby="${help && `${id}-help `}${id}-error" ${attributes}>
    ${help && `<p class="help" id="${id}-help">${e(help)}</p>`}
    <p class="error" id="${id}-error" hidden></p>
  </div>`;
  const form = `
<form id="form" method="post" novalidate aria-label="${e(t.title)}">
  <p class="note">${e(t.demonstration)}</p>
  ${field('name', t.name, 'autocomplete="cc-name" maxlength="120"')}
  ${field('number', t.number, 'autocomplete="cc-number" inputmode="numeric" maxlength="24"')}
  <div class="two">
    ${field('expiry', t.expiry, 'autocomplete="cc-exp" inputmode="numeric" maxlength="7"', t.expiryHelp)}
    ${field('cvc', t.cvc, 'autocomplete="cc-csc" inputmode="numeric" maxlength="4"')}
  </div>
  <p class="error" id="lost" role="alert" hidden></p>
  <button class="button filled" id="pay" data-busy="${e(t.paying)}" disabled>${e(t.pay(dollars(amountCents, language)))}</button>
</form>`;
  return frame(product, language, t.title, form, { errors: t.errors });
}

/** A merchant's transfers, as the payment provider's own dashboard would show them. Demo only. */
export function dashboardPage(product: string, transfers: LocalTransfer[]): string {
  const rows = transfers.map(
    ({ id, reference, kind, state, amountCents, brand, last4, createdAt }) =>
      `<tr><td>${e(createdAt.toISOString())}</td><td>${e(kind)}</td><td>${e(state)}</td><td>${e(dollars(amountCents, 'en'))}</td><td>${e(`${brand ?? ''} ${last4 ?? ''}`)}</td><td>${e(id)}</td><td>${e(reference)}</td></tr>`,
  );
  const table = `
<h1>Payment provider: transfers</h1>
<p class="note">Demonstration: no money moves.</p>
<div class="wide" tabindex="0" role="region" aria-label="Transfers"><table>
<thead><tr><th>Created</th><th>Kind</th><th>State</th><th>Amount</th><th>Card</th><th>Transfer ID</th><th>Reference</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div>`;
  return frame(product, 'en', 'Transfers', table, null);
}

function frame(product: string, language: Language, title: string, main: string, data: object | null): string {
  const script = data
    ? `<script type="module" src="/charges/assets/page.js"></script>
<script type="application/json" id="data">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`
    : '';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(title)} – ${e(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/charges/assets/page.css">
</head>
<body>
<main id="main" aria-label="${e(title)}">${main}</main>
${script}
</body>
</html>`;
}
