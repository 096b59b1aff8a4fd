import type { FastifyInstance } from 'fastify';
import { chatSnippet } from '#contract/practice/chat-settings.ts';
import type { Language } from '#contract/shapes.ts';
import type { ChatFront } from '#contract/website-chat.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { htmlPage } from '#server/kit/http/html-page.ts';
import { escapeHtml } from '#server/kit/http/openapi-page.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { contextFor } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { visitorPace } from '#server/kit/http/visitor-pace.ts';
import { readChatFront } from './chat-front.ts';

const messages = {
  en: {
    title: 'Test page of the website chat',
    hint: (office: string) =>
      `This page works like a page of ${office}’s website: it has the same line of code. Press the chat’s button in the corner and write something. The message is in the Website Chatbox, like any visitor’s.`,
    shown: 'The snippet on this page:',
    none: 'The chat is off',
    turnOn:
      'This practice has no chat on its website right now. Its staff can turn it on in the settings, under “Website chat”.',
  },
  es: {
    title: 'Página de prueba del chat del sitio web',
    hint: (office: string) =>
      `Esta página representa una página del sitio web de ${office}: tiene la misma línea. Toque el botón del chat en la esquina y escriba algo. El mensaje aparece en el Chat del sitio web, como el de cualquier visitante.`,
    shown: 'La línea en esta página:',
    none: 'El chat está desactivado',
    turnOn:
      'Este consultorio no tiene chat en su sitio web por ahora. Su personal puede activarlo en los ajustes, en «Chat del sitio web».',
  },
} as const satisfies Record<Language, object>;

const stylePath = '/widget-test/page.css';

/** `/widget-test/{npi}`: a page that shows the chat as a practice's own website does. */
export function testPageRoutes(app: FastifyInstance): void {
  app.get(stylePath, async (_req, reply) =>
    reply.type('text/css; charset=utf-8').send(pageStyle('server/features/website-chat/test-page.css')),
  );
  app.get('/widget-test/:npi', { onRequest: visitorPace }, async (req, reply) => {
    const ctx = await contextFor(app.services, 'anyone', req, reply);
    const { npi } = req.params as { npi: string };
    const front = await frontOf(ctx, npi);
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-language': ctx.language, 'x-robots-tag': 'noindex, nofollow, noarchive' });
    return front === null ? reply.code(404).send(offPage(ctx.language)) : reply.send(testPage(ctx, front, npi));
  });
}

async function frontOf(ctx: AnyoneCtx, npi: string): Promise<ChatFront | null> {
  try {
    return await readChatFront(ctx, npi);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'chat_off') return null;
    throw error;
  }
}

/** It shows the line as a website needs it, with our address, and runs the same of its own origin. */
function testPage({ language, env }: AnyoneCtx, { officeName, color }: ChatFront, npi: string): string {
  const { title, hint, shown } = messages[language];
  const shownSnippet = chatSnippet({ host: env.publicUrl, npi, color });
  const main = `<h1>${title}</h1>
<p>${escapeHtml(hint(officeName))}</p>
<p>${shown}</p>
<pre tabindex="0" dir="ltr">${escapeHtml(shownSnippet)}</pre>`;
  return frame(language, title, main, chatSnippet({ host: '', npi, color }));
}

function offPage(language: Language): string {
  const { none, turnOn } = messages[language];
  return frame(language, none, `<h1>${none}</h1>\n<p>${turnOn}</p>`, '');
}

const frame = (language: Language, title: string, main: string, end: string) =>
  htmlPage({ language, title, style: stylePath, body: `<main>\n${main}\n</main>\n${end}` });
