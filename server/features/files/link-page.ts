import type { Language } from '#contract/shapes.ts';
import { htmlPage } from '#server/kit/http/html-page.ts';
import { escapeHtml } from '#server/kit/http/openapi-page.ts';

/** Where the browser of whoever holds a link stands: it may open it, another browser has, or the link has ended. */
export type LinkState = 'closed' | 'elsewhere' | 'ended';

const messages = {
  en: {
    closed: {
      title: (office: string) => `${office} sent you a picture`,
      text: 'It opens in this browser only. Once you have opened it here, the link works nowhere else.',
    },
    elsewhere: {
      title: () => 'This picture was already opened elsewhere',
      text: 'Its link works only in the browser that opened it first. To see the picture here, reply to the text and ask for it again.',
    },
    ended: {
      title: () => 'This link no longer works',
      text: 'Links to files work for a short time only. If it came by text, reply to the text and ask for it again.',
    },
    open: 'Show the picture',
  },
  es: {
    closed: {
      title: (office: string) => `${office} le envió una imagen`,
      text: 'Solo se abre en este navegador. Después de abrirla aquí, el enlace no funciona en ningún otro.',
    },
    elsewhere: {
      title: () => 'Esta imagen ya se abrió en otro lugar',
      text: 'El enlace solo funciona en el navegador que lo abrió primero. Para ver la imagen aquí, responda al mensaje de texto y pídala de nuevo.',
    },
    ended: {
      title: () => 'Este enlace ya no funciona',
      text: 'Los enlaces a archivos funcionan poco tiempo. Si le llegó por mensaje de texto, responda al mensaje y pídalo de nuevo.',
    },
    open: 'Ver la imagen',
  },
} as const satisfies Record<Language, object>;

export const linkPageStyle = '/files/page.css';

/** What a browser shows instead of the file. Only a person presses the button: programs that preview links in texts open nothing. */
export function linkPage(language: Language, state: LinkState, office = ''): string {
  const { [state]: says, open } = messages[language];
  const title = says.title(office);
  const button = state === 'closed' ? `<form method="post"><button>${open}</button></form>\n` : '';
  const body = `<main>
<h1>${escapeHtml(title)}</h1>
${button}<p>${says.text}</p>
</main>`;
  return htmlPage({ language, title, style: linkPageStyle, body });
}
