import type { Language } from '#contract/shapes.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import { cardPageMessages } from '#server/providers/card/local-messages.ts';

/** The fields of a card. Shown in a frame of the Membership page, which never learns what is typed here. */
export function cardPage(product: string, language: Language): string {
  const t = cardPageMessages[language];
  const field = (id: 'number' | 'expiry' | 'cvc', autocomplete: string, hint = '') => `<div class="field">
  <label for="${id}">${e(t[id])}</label>
  <input id="${id}" inputmode="numeric" autocomplete="${autocomplete}" maxlength="30" placeholder="${e(hint)}" aria-describedby="${id}-error">
  <p class="error" id="${id}-error" role="alert" hidden>${e(t.errors[id])}</p>
</div>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(t.title)} – ${e(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/card/assets/page.css">
<script type="module" src="/card/assets/page.js"></script>
</head>
<body>
<main aria-label="${e(t.title)}">
<h1>${e(t.title)}</h1>
<form id="card" novalidate>
<p class="note">${e(t.demonstration)}</p>
${field('number', 'cc-number')}
<div class="pair">
${field('expiry', 'cc-exp', t.expiryHint)}
${field('cvc', 'cc-csc')}
</div>
<p class="error" id="lost" role="alert" hidden>${e(t.errors.lost)}</p>
<button hidden></button>
</form>
<section id="confirm" hidden aria-labelledby="confirm-title">
<h2 id="confirm-title">${e(t.confirm.title)}</h2>
<p class="note">${e(t.confirm.text)}</p>
<div class="buttons">
<button type="button" id="yes">${e(t.confirm.yes)}</button>
<button type="button" id="no">${e(t.confirm.no)}</button>
</div>
</section>
</main>
<script type="application/json" id="texts">${JSON.stringify(t.errors).replace(/</g, '\\u003c')}</script>
</body>
</html>`;
}
