import { PDFDocument } from 'pdf-lib';
import type { Language } from '#contract/refusals.ts';
import { numberPages, openPaper } from '#server/kit/paper.ts';
import type { Writing } from './writing.ts';

/** Typesets a document; what it is and the page's number stand at the foot of every page. */
export async function typeset(
  writing: Writing,
  { product, language, edition }: { product: string; language: Language; edition: string },
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(writing.title, { showInWindowTitleBar: true });
  pdf.setAuthor(product);
  pdf.setLanguage(language);

  const paper = await openPaper(pdf, JSON.stringify([writing, edition]));
  paper.title(writing.title);
  paper.paragraph(edition, { size: 9, after: 12 });
  for (const paragraph of writing.intro) paper.paragraph(paragraph);
  for (const { heading, paragraphs, list = [], clauses = [] } of writing.sections) {
    paper.heading(heading);
    for (const paragraph of paragraphs) paper.paragraph(paragraph);
    for (const point of list) paper.paragraph(point, { indent: 16, mark: '•', after: 3 });
    for (const { mark, text } of clauses) paper.paragraph(text, { indent: 26, mark });
    if (list.length > 0) paper.gap(3);
  }
  const [page, of] = language === 'es' ? ['Página', 'de'] : ['Page', 'of'];
  await numberPages(pdf, `${product} · ${writing.title} · ${edition}`, (n, all) => `${page} ${n} ${of} ${all}`);
  return pdf.save();
}
