/**
 * The script that a practice puts on its website: a round button that opens the chat in a frame. Nothing else is loaded before the click.
 * The website's Content-Security-Policy needs our origin in script-src and frame-src, and nothing else (docs/operating.md).
 */
import type { FrameMessage, HostMessage } from './frame-messages.ts';
import { style } from './loader-style.ts';

const messages = {
  en: {
    open: 'Chat with us',
    close: 'Close chat',
    wait: 'One moment…',
    failed: 'This website is not on the practice’s list, or there is no connection. Please call the practice instead.',
  },
  es: {
    open: 'Chatee con nosotros',
    close: 'Cerrar el chat',
    wait: 'Un momento…',
    failed: 'Este sitio web no está en la lista del consultorio o no hay conexión. Llame al consultorio.',
  },
};
/** A page of ours says that it runs before it is loaded. A browser that may not show it loads an error page instead. */
const graceMs = 3_000;
const phoneWidth = '(max-width:480px),(max-height:480px)';

function addChat(origin: string, office: string, { language, color }: DOMStringMap): void {
  const lang = /^es/i.test(language || document.documentElement.lang || navigator.language) ? 'es' : 'en';
  const text = messages[lang];
  const host = document.createElement('div');
  host.role = 'complementary';
  host.ariaLabel = 'Chat';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];

  const launcher = newButton('open', text.open);
  const dialog = document.createElement('dialog');
  const close = newButton('close', text.close);
  const note = document.createElement('p');
  let frame: HTMLIFrameElement | undefined;
  let isReady = false;

  const paint = (officeColor: string | undefined) => {
    if (officeColor) launcher.style.setProperty('--color', officeColor);
  };
  const tell = (message: HostMessage) => frame?.contentWindow?.postMessage(message, origin);
  const enterFrame = () => {
    frame?.focus();
    tell('opened');
  };
  const load = () => {
    frame?.remove();
    const loading = (frame = document.createElement('iframe'));
    note.textContent = text.wait;
    frame.title = 'Chat';
    frame.hidden = true;
    frame.src = `${origin}/widget/${office}?lang=${lang}`;
    frame.onload = () =>
      setTimeout(() => {
        if (!isReady && loading === frame) note.textContent = text.failed;
      }, graceMs);
    dialog.append(frame);
  };
  const open = () => {
    // On a phone the chat covers the page, so the page takes no keys. Opening it again also tries again.
    if (matchMedia(phoneWidth).matches) dialog.showModal();
    else dialog.show();
    launcher.ariaExpanded = 'true';
    if (isReady) enterFrame();
    else load();
  };

  launcher.ariaExpanded = 'false';
  launcher.onclick = () => (dialog.open ? dialog.close() : open());
  dialog.ariaLabel = text.open;
  dialog.onclose = () => {
    launcher.ariaExpanded = 'false';
    launcher.focus();
    tell('closed');
  };
  close.onclick = () => dialog.close();
  host.onkeydown = ({ key }) => {
    if (key === 'Escape') dialog.close();
  };
  note.role = 'status';
  dialog.append(close, note);
  root.append(launcher, dialog);
  paint(color);

  addEventListener('message', ({ source, origin: sender, data }: MessageEvent<FrameMessage>) => {
    if (!frame || source !== frame.contentWindow || sender !== origin) return;
    if (data.chat === 'close') dialog.close();
    if (data.chat === 'ready') {
      paint(data.color);
      isReady = true;
      note.remove();
      frame.hidden = false;
      if (dialog.open) enterFrame();
    }
    if (data.chat === 'unread') {
      launcher.ariaLabel = data.count ? `${text.open} (${data.count})` : text.open;
      launcher.dataset.unread = `${data.count || ''}`;
    }
  });
  // Beside the body, not in it: no rule of the website about its last element changes, and no transform of the body moves the button.
  document.documentElement.append(host);
}

function newButton(className: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = className;
  button.ariaLabel = label;
  return button;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && /^\d{10}$/.test(script.dataset.office ?? '')) {
  const { dataset, src } = script;
  // After the website's own paint, which the button would delay. A hidden tab has no frame until it is shown, and needs no button before.
  const add = () =>
    requestAnimationFrame(() => setTimeout(() => addChat(new URL(src).origin, dataset.office ?? '', dataset)));
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', add);
  else add();
}
// oxlint-disable-next-line no-console
else console.warn('Chat: data-office must be an NPI.');
