import type { Language } from '#contract/shapes.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import type { ClosedPage, OpenPage } from '#server/providers/esign/local-signing.ts';
import type { AgreementPart } from '#server/providers/esign/port.ts';
import { signingPageMessages } from '#server/providers/esign/local-messages.ts';

/** The signing page: the document's text, the signature, and the buttons. `key` identifies the page in its calls. */
export function signingPage(
  product: string,
  { request, signedInAs, language }: OpenPage,
  key: string,
  { demo }: { demo: boolean },
): string {
  const t = signingPageMessages[language];
  const readable = request.readable as unknown as AgreementPart[];
  const name = request.signerName.includes('@') ? '' : request.signerName;
  const page = `
<p class="note">${e(t.demonstration)}</p>
<h1>${e(request.title)}</h1>
<section aria-labelledby="document-title">
  <div class="line">
    <h2 id="document-title">${e(t.document)}</h2>
    <a class="button" href="/esign/page/${e(key)}/document" target="_blank" rel="noopener">${e(t.openPdf)}</a>
  </div>
  <p class="help">${e(t.documentHelp)}</p>
  <div class="text" tabindex="0" role="group" aria-labelledby="document-title" lang="en">${readable.map(part).join('')}</div>
</section>
<form id="form" method="post" novalidate aria-labelledby="form-title">
  <h2 id="form-title">${e(t.yourSignature)}</h2>
  <div class="field">
    <label for="name">${e(t.name)}</label>
    <input id="name" name="name" autocomplete="name" maxlength="120" required value="${e(name)}" aria-describedby="name-help name-error">
    <p class="help" id="name-help">${e(t.nameHelp)}</p>
    <p class="error" id="name-error" hidden>${e(t.errors.name)}</p>
  </div>
  <fieldset>
    <legend>${e(t.how)}</legend>
    <div class="choices">
      <label class="choice"><input type="radio" name="how" value="type" checked> ${e(t.type)}</label>
      <label class="choice"><input type="radio" name="how" value="draw"> ${e(t.draw)}</label>
    </div>
    <div id="typed">
      <p class="help">${e(t.typedHelp)}</p>
      <p class="hand" id="preview" aria-hidden="true">${e(name)}</p>
    </div>
    <div id="drawn" hidden>
      <p class="help" id="pad-help">${e(t.drawnHelp)}</p>
      <canvas id="pad" role="img" aria-label="${e(t.pad)}" aria-describedby="pad-help pad-error"></canvas>
      <p class="error" id="pad-error" hidden>${e(t.errors.drawing)}</p>
      <button type="button" class="button" id="clear">${e(t.clear)}</button>
    </div>
  </fieldset>
  <div class="field">
    <label class="check"><input type="checkbox" id="consent" required aria-describedby="consent-error"> <span id="consent-text">${e(t.consent)}</span></label>
    <p class="error" id="consent-error" hidden>${e(t.errors.consent)}</p>
  </div>
  <p class="error" id="lost" role="alert" hidden>${e(t.errors.lost)}</p>
  <button class="button filled" id="sign" data-busy="${e(t.signing)}">${e(t.sign)}</button>
</form>
<details>
  <summary>${e(t.decline)}</summary>
  <p class="help">${e(t.declineHelp)}</p>
  <div class="field">
    <label for="reason">${e(t.reason)}</label>
    <textarea id="reason" rows="2" maxlength="500"></textarea>
  </div>
  <button type="button" class="button danger" id="decline">${e(t.declineNow)}</button>
</details>
${
  demo
    ? `<details>
  <summary>${e(t.tryOut)}</summary>
  <p class="help">${e(t.expireHelp)}</p>
  <button type="button" class="button" id="expire">${e(t.expireNow)}</button>
</details>`
    : ''
}
<p class="foot">${e(t.signedInAs(signedInAs))}. ${e(t.until)}</p>`;
  const ends = { ...t.closed, done: t.signed, doneAlone: t.signedAlone };
  return frame(product, language, t.heading, page, { key, ends });
}

/** Shown if the link does not open anything, or not any more. */
export function closedPage(product: string, language: Language, closed: ClosedPage): string {
  const { title, text } = signingPageMessages[language].closed[closed];
  return frame(product, language, title, `<div class="end"><h1>${e(title)}</h1><p>${e(text)}</p></div>`, { closed });
}

function part({ heading, mark, text }: AgreementPart): string {
  if (heading !== undefined) return `<h3>${e(heading)}</h3>`;
  return `<p>${mark ? `<span class="mark">${e(mark)}</span> ` : ''}${e(text ?? '')}</p>`;
}

function frame(product: string, language: Language, title: string, main: string, data: object): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(title)} – ${e(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/esign/assets/page.css">
<script type="module" src="/esign/assets/page.js"></script>
</head>
<body>
<main id="main" aria-label="${e(title)}">${main}</main>
<script type="application/json" id="data">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>
</body>
</html>`;
}
