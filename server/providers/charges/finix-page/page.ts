import type { Language } from '#contract/shapes.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import { cardFormMessages } from '#server/providers/charges/local-messages.ts';

/** Finix's card form with our button, to be shown in a frame. Its script posts the card's token to the page around it. */
export function finixPage(
  product: string,
  {
    language,
    amountCents,
    ...account
  }: { language: Language; amountCents: number; application: string; environment: string },
): string {
  const t = cardFormMessages[language];
  const amount = new Intl.NumberFormat(`${language}-US`, { style: 'currency', currency: 'USD' }).format(
    amountCents / 100,
  );
  const { errors } = t;
  // By Finix's names of its fields: it has no Spanish of its own.
  const labels = { card_holder_name: t.name, number: t.number, expiration_date: t.expiry, security_code: t.cvc };
  const errorMessages = {
    card_holder_name: errors.name,
    number: errors.number,
    expiration_date: errors.expiry,
    security_code: errors.cvc,
  };
  const options = { paymentMethods: ['card'], showAddress: false, labels, errorMessages };
  const data = JSON.stringify({ ...account, options, lost: errors.lost, wrong: errors.wrong }).replace(/</g, '\\u003c');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(t.title)} – ${e(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/charges/assets/page.css">
<script src="https://js.finix.com/v/2/finix.js" defer></script>
<script type="module" src="/charges/assets/page.js"></script>
</head>
<body>
<main id="main" aria-label="${e(t.title)}">
<form id="form" novalidate aria-label="${e(t.title)}">
<p class="help" id="loading" role="status">${e(t.loading)}</p>
<div id="card"></div>
<p class="error" id="lost" role="alert" hidden></p>
<button class="button filled" id="pay" data-busy="${e(t.paying)}" data-again="${e(t.again)}" disabled>${e(t.pay(amount))}</button>
</form>
</main>
<script type="application/json" id="data">${data}</script>
</body>
</html>`;
}
