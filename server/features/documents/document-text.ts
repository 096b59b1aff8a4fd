import type { Language } from '#contract/shapes.ts';

/** The text of a document, for the page and the PDF. `{product}` and `{operator}` are replaced by this installation's names. */
export interface DocumentText {
  title: string;
  intro: readonly string[];
  sections: readonly Section[];
}
export interface Section {
  heading: string;
  paragraphs: readonly string[];
  /** Points after the paragraphs. */
  list?: readonly string[];
  /** Numbered sentences after the paragraphs. */
  clauses?: readonly { mark: string; text: string }[];
}

export interface PublishedDocument {
  version: string;
  /** The day on which this version took effect, yyyy-mm-dd. */
  since: string;
  texts: Record<Language, DocumentText>;
}

export interface Names {
  product: string;
  operator: string;
}

/** Replaces the placeholders by the names. */
export function fillNames(writing: DocumentText, { product, operator }: Names): DocumentText {
  const fill = (text: string) => text.replaceAll('{product}', product).replaceAll('{operator}', operator);
  return {
    title: fill(writing.title),
    intro: writing.intro.map(fill),
    sections: writing.sections.map(({ heading, paragraphs, list, clauses }) => ({
      heading: fill(heading),
      paragraphs: paragraphs.map(fill),
      ...(list && { list: list.map(fill) }),
      ...(clauses && { clauses: clauses.map(({ mark, text }) => ({ mark, text: fill(text) })) }),
    })),
  };
}
