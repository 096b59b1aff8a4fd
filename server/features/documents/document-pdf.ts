import type { Language } from '#contract/shapes.ts';
import { createPdf } from '#server/kit/pdf/document.ts';
import type { DocumentText } from './document-text.ts';

/** Typesets a document. Every page's footer has the title, version and page number. */
export function createDocumentPdf(
  writing: DocumentText,
  { product, language, edition }: { product: string; language: Language; edition: string },
): Promise<Buffer> {
  const pdf = createPdf({
    title: writing.title,
    author: product,
    product,
    language,
    documentText: JSON.stringify(writing),
  });
  pdf.title(writing.title);
  pdf.paragraph(edition, { size: 9, after: 12 });
  for (const paragraph of writing.intro) pdf.paragraph(paragraph);
  for (const { heading, paragraphs, list = [], clauses = [] } of writing.sections) {
    pdf.heading(heading);
    for (const paragraph of paragraphs) pdf.paragraph(paragraph);
    if (list.length > 0) {
      pdf.list(
        list.map((text) => ({ mark: '•', text })),
        { indent: 16, after: 3 },
      );
      pdf.gap(3);
    }
    if (clauses.length > 0) pdf.list(clauses, { indent: 26 });
  }
  const [page, of] = language === 'es' ? ['Página', 'de'] : ['Page', 'of'];
  const left = `${product} · ${writing.title} · ${edition}`;
  return pdf.finish({ left, page: (n, all) => `${page} ${n} ${of} ${all}` });
}
