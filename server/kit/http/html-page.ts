import type { Language } from '#contract/shapes.ts';
import { escapeHtml } from './openapi-page.ts';

/** A page that the server makes itself. */
interface HtmlPage {
  language: Language;
  /** Plain text; escaped here. */
  title: string;
  /** The path of its style sheet. */
  style: string;
  /** More elements of the head, as HTML with a line end: a script waits for the style sheet. */
  head?: string;
  /** HTML; not escaped here. */
  body: string;
}

/** A page of the server's own, in light or dark. */
export function htmlPage({ language, title, style, head = '', body }: HtmlPage): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${head}</head>
<body>
${body}
</body>
</html>
`;
}
