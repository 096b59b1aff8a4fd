import { publicDocuments, type PublicDocument } from '#contract/documents.ts';
import { locales } from '#questionnaire/language/language.ts';
import type { Language } from '#contract/shapes.ts';
import { baa } from './baa.ts';
import { privacy } from './privacy.ts';
import { terms } from './terms.ts';
import { fillNames, type Names, type PublishedDocument, type DocumentText } from './document-text.ts';

const published: Record<PublicDocument, PublishedDocument> = {
  'terms.pdf': terms,
  'privacy.pdf': privacy,
  'baa.pdf': baa,
};

/** Whether `file` is exactly the name of a public document. Nothing else is ever looked up. */
export function isPublic(file: unknown): file is PublicDocument {
  return publicDocuments.some((name) => name === file);
}

/** A public document in one language, with the product's name in it. */
export function readDocument(
  file: PublicDocument,
  language: Language,
  names: Names,
): { writing: DocumentText; edition: string } {
  const { version, since, texts } = published[file];
  const day = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' });
  const from = day.format(new Date(since));
  return {
    writing: fillNames(texts[language], names),
    edition:
      language === 'es' ? `Versión ${version}, vigente desde el ${from}` : `Version ${version}, in force since ${from}`,
  };
}

/** The public documents and their titles. */
export function titlesIn(language: Language, names: Names): { file: PublicDocument; title: string }[] {
  return publicDocuments.map((file) => ({ file, title: readDocument(file, language, names).writing.title }));
}

/** A public document as PDF, typeset once. */
export function createPdfCache(names: Names): (file: PublicDocument, language: Language) => Promise<Buffer> {
  const cache = new Map<string, Promise<Buffer>>();
  return (file, language) => {
    const key = `${language}/${file}`;
    const { writing, edition } = readDocument(file, language, names);
    const pdf = cache.get(key) ?? typesetDocument(writing, { product: names.product, language, edition });
    cache.set(key, pdf);
    return pdf;
  };
}

async function typesetDocument(
  writing: DocumentText,
  about: { product: string; language: Language; edition: string },
): Promise<Buffer> {
  const { createDocumentPdf: typeset } = await import('./document-pdf.ts');
  return typeset(writing, about);
}
