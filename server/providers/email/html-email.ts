import { escapeHtml } from '#server/kit/http/openapi-page.ts';
import type { Mail } from './port.ts';

/** The text of the email as HTML that every mail program can show: no images, no remote content, no tracking. */
export function htmlEmail(product: string, { subject, text, language = 'en' }: Mail): string {
  const paragraphs = text.trim().split(/\n{2,}/);
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:600">${escapeHtml(product)}</p>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${withLinks(paragraph)}</p>`).join('\n')}
</div>
</body>
</html>
`;
}

function withLinks(paragraph: string): string {
  return paragraph
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
    .map((part, i) => {
      const html = escapeHtml(part).replaceAll('\n', '<br>\n');
      return i % 2 === 1 ? `<a href="${html}">${html}</a>` : html;
    })
    .join('');
}
