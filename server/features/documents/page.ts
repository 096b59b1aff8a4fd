import { documentPath, type PublicDocument } from '#contract/documents.ts';
import { languages, type Language } from '#contract/shapes.ts';
import { htmlPage } from '#server/kit/http/html-page.ts';
import { escapeHtml } from '#server/kit/http/openapi-page.ts';
import type { DocumentText } from './document-text.ts';

const messages = {
  en: {
    open: 'Open the PDF',
    save: 'Save the PDF',
    asPdf: 'Show as PDF',
    asText: 'Show as text',
    others: 'Other documents',
    home: 'Go to the start page',
    missing: 'Document not found',
    choose: 'These are the documents we publish:',
    language: 'Language',
  },
  es: {
    open: 'Abrir el PDF',
    save: 'Guardar el PDF',
    asPdf: 'Mostrar como PDF',
    asText: 'Mostrar como texto',
    others: 'Otros documentos',
    home: 'Ir a la página de inicio',
    missing: 'No se encontró el documento',
    choose: 'Estos son los documentos que publicamos:',
    language: 'Idioma',
  },
} as const;
const names: Record<Language, string> = { en: 'English', es: 'Español' };

export interface DocumentView {
  file: PublicDocument;
  writing: DocumentText;
  edition: string;
}
type Titles = readonly { file: PublicDocument; title: string }[];

/** Where a document's PDF is. */
export function pdfPath(file: PublicDocument, language: Language): string {
  return `/document/${language}/${file}`;
}

/**
 * The page of a public document. It contains the text, so it works without a PDF viewer, with a screen reader and on a phone. If the
 * browser has a PDF viewer and enough room, page.js shows the PDF instead.
 */
export function documentPage(
  product: string,
  language: Language,
  { file, writing, edition }: DocumentView,
  titles: Titles,
): string {
  const say = messages[language];
  const pdf = pdfPath(file, language);
  const others = titles.filter((title) => title.file !== file);
  return frame(product, language, writing.title, {
    switchTo: (other) => documentPath(file, other),
    main: `
<div class="head">
  <div>
    <h1>${escapeHtml(writing.title)}</h1>
    <p class="quiet">${escapeHtml(edition)}</p>
  </div>
  <p class="tools">
    <button type="button" id="as-pdf" hidden>${say.asPdf}</button>
    <button type="button" id="as-text" hidden>${say.asText}</button>
    <a class="button" href="${pdf}" target="_blank" rel="noopener">${say.open}</a>
    <a class="button" href="${pdf}" download="${file}">${say.save}</a>
  </p>
</div>
<div id="viewer" data-pdf="${pdf}" data-title="${escapeHtml(writing.title)}" hidden></div>
<article id="text">
${writing.intro.map(paragraph).join('\n')}
${writing.sections
  .map(
    ({ heading, paragraphs, list, clauses }) => `<h2>${escapeHtml(heading)}</h2>
${paragraphs.map(paragraph).join('\n')}
${list ? `<ul>${list.map((point) => `<li>${escapeHtml(point)}</li>`).join('')}</ul>` : ''}
${clauses ? `<ul class="clauses">${clauses.map(({ mark, text }) => `<li><span>${escapeHtml(mark)}</span> ${escapeHtml(text)}</li>`).join('')}</ul>` : ''}`,
  )
  .join('\n')}
</article>
<nav class="others" aria-label="${say.others}"><h2>${say.others}</h2>${listOf(others, language)}</nav>`,
  });
}

/** The page for an unknown document. */
export function noSuchDocument(product: string, language: Language, titles: Titles): string {
  const say = messages[language];
  return frame(product, language, say.missing, {
    switchTo: (other) => `/document?lang=${other}`,
    main: `<h1>${say.missing}</h1>
<p>${say.choose}</p>
${listOf(titles, language)}`,
  });
}

function frame(
  product: string,
  language: Language,
  title: string,
  { switchTo, main }: { switchTo(other: Language): string; main: string },
): string {
  const say = messages[language];
  const choices = languages.map((choice) =>
    choice === language
      ? `<span aria-current="true">${names[choice]}</span>`
      : `<a href="${escapeHtml(switchTo(choice))}" hreflang="${choice}" lang="${choice}">${names[choice]}</a>`,
  );
  return htmlPage({
    language,
    title: `${title} - ${product}`,
    style: '/document/page.css',
    head: '<script src="/document/page.js" defer></script>\n',
    body: `<header class="top">
  <a class="product" href="/" title="${say.home}">${escapeHtml(product)}</a>
  <nav class="languages" aria-label="${say.language}">${choices.join('')}</nav>
</header>
<main>
${main}
</main>`,
  });
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;

function listOf(titles: Titles, language: Language): string {
  const items = titles.map(
    ({ file, title }) => `<li><a href="${escapeHtml(documentPath(file, language))}">${escapeHtml(title)}</a></li>`,
  );
  return `<ul class="list">${items.join('')}</ul>`;
}
