import { formatPhone } from '#contract/phone-format.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import { escapeHtml } from '#server/kit/http/openapi-page.ts';

/** One message that would have been sent. */
export interface OutboxItem {
  id: string;
  channel: 'text' | 'email' | 'push';
  from: string | null;
  to: string;
  body: string;
  state: string;
  at: string;
}

const channels = { text: 'Text', email: 'Email', push: 'Push' } as const;
const states: Record<string, string> = {
  accepted: 'On its way',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Not delivered',
};

/** The page at `/dev/outbox`. Its script refreshes the list and sends replies; the list itself is plain HTML. */
export function outboxPage(product: string, filter: string, sent: OutboxItem[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outbox - ${escapeHtml(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dev/outbox.css">
<script src="/dev/outbox.js" defer></script>
</head>
<body>
<header class="top">
  <div>
    <h1>Outbox</h1>
    <p class="quiet">What ${escapeHtml(product)} would have sent. It stays here: no real phone or mailbox gets it.</p>
  </div>
  <p class="live" id="live" hidden><span class="dot" aria-hidden="true"></span> <span id="live-text">Live</span></p>
</header>
<main>
  <form class="filter" id="filter" role="search" method="get" action="/dev/outbox">
    <label for="to">Phone number or email</label>
    <div class="row">
      <input id="to" name="to" type="search" autocomplete="off" spellcheck="false" value="${escapeHtml(filter)}" placeholder="(212) 555-0101">
      <button type="submit" id="show">Show</button>
    </div>
  </form>
  <section aria-labelledby="list-title">
    <h2 id="list-title" class="hidden">Sent</h2>
    <p class="empty" id="empty"${sent.length > 0 ? ' hidden' : ''}>${
      filter === '' ? 'Nothing has been sent yet.' : 'Nothing was sent there yet.'
    }</p>
    <ol id="list" class="list">${sent.map(item).join('')}</ol>
  </section>
</main>
<dialog id="answer" aria-labelledby="answer-title">
  <form id="answer-form" method="dialog">
    <h2 id="answer-title">Answer as <bdi dir="ltr" id="answer-from"></bdi></h2>
    <p class="quiet">To the office's number <bdi dir="ltr" id="answer-to"></bdi></p>
    <label for="answer-body">Text</label>
    <textarea id="answer-body" rows="3" maxlength="1600"></textarea>
    <label for="answer-file">Picture (optional)</label>
    <input id="answer-file" type="file">
    <p class="words"><button type="button" class="plain" data-word="STOP">STOP</button><button type="button" class="plain" data-word="START">START</button><button type="button" class="plain" data-word="HELP">HELP</button></p>
    <p class="error" id="answer-error" role="alert"></p>
    <div class="row end">
      <button type="button" class="plain" id="answer-cancel">Cancel</button>
      <button type="submit" id="answer-send">Send</button>
    </div>
  </form>
</dialog>
<p class="toast" id="toast" role="status"></p>
</body>
</html>
`;
}

function item({ id, channel, from, to, body, state, at }: OutboxItem): string {
  const mayAnswer = channel === 'text' && from !== null;
  const status = channel === 'text' ? `<span class="state ${state}">${states[state] ?? 'Sent'}</span>` : '';
  return `
<li id="m-${id}" class="item">
  <div class="head">
    <span class="channel ${channel}">${channels[channel]}</span>
    <a class="to" href="/dev/outbox?to=${encodeURIComponent(to)}"><bdi dir="ltr">${escapeHtml(formatPhone(to))}</bdi></a>
    ${status}
    <time datetime="${at}">${at.slice(11, 19)} UTC</time>
  </div>
  <p class="body">${withLinks(body)}</p>
  ${channel === 'text' ? `<p class="quiet">${sizeName(body)}</p>` : ''}
  ${
    mayAnswer
      ? `<button type="button" class="plain answer" data-from="${escapeHtml(to)}" data-to="${escapeHtml(from)}">Answer<span class="hidden"> as ${escapeHtml(formatPhone(to))}</span></button>`
      : ''
  }
</li>`;
}

/** What the carrier would bill: the segments of the text as it left, with its link. */
function sizeName(body: string): string {
  const { segments, characters, encoding } = sizeOfText(body);
  const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;
  return `${count(segments, 'segment')} · ${count(characters, 'character')} · ${encoding}`;
}

function withLinks(body: string): string {
  return body
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, i) =>
      i % 2 === 1
        ? `<a href="${escapeHtml(part)}" target="_blank" rel="noopener">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('');
}
