import type { Language } from '#contract/shapes.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import { cardPageMessages } from '#server/providers/card/local-messages.ts';

/** Stripe's fields for a card. Shown in a frame of the Membership page, which never learns what is typed here. */
export function stripePage(product: string, language: Language, publishableKey: string): string {
  const t = cardPageMessages[language];
  const field = (id: 'number' | 'expiry' | 'cvc') => `<div class="field">
  <label for="${id}">${e(t[id])}</label>
  <div class="input" id="${id}"></div>
  <p class="error" id="${id}-error" role="alert" hidden>${e(t.errors[id])}</p>
</div>`;
  const data = JSON.stringify({ publishableKey, language }).replace(/</g, '\\u003c');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(t.title)} – ${e(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/card/assets/page.css">
<script src="https://js.stripe.com/clover/stripe.js" defer></script>
<script type="module" src="/card/assets/page.js"></script>
</head>
<body>
<main aria-label="${e(t.title)}">
<h1>${e(t.title)}</h1>
<form id="card" novalidate>
${field('number')}
<div class="pair">
${field('expiry')}
${field('cvc')}
</div>
<p class="error" id="lost" role="alert" hidden>${e(t.errors.lost)}</p>
<button hidden></button>
</form>
</main>
<script type="application/json" id="data">${data}</script>
</body>
</html>`;
}
