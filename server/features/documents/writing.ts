import type { Language } from '#contract/refusals.ts';

/** A document as words: shown as a page, typeset as a PDF. `{product}` is replaced by the product's name. */
export interface Writing {
  title: string;
  intro: readonly string[];
  sections: readonly Section[];
}
export interface Section {
  heading: string;
  paragraphs: readonly string[];
  /** Points after the paragraphs. */
  list?: readonly string[];
}

export interface Published {
  version: number;
  /** The day since which this version holds, yyyy-mm-dd. */
  since: string;
  words: Record<Language, Writing>;
}

/** The same words with the product's name in them. */
export function named(writing: Writing, product: string): Writing {
  const fill = (text: string) => text.replaceAll('{product}', product);
  return {
    title: fill(writing.title),
    intro: writing.intro.map(fill),
    sections: writing.sections.map(({ heading, paragraphs, list }) => ({
      heading: fill(heading),
      paragraphs: paragraphs.map(fill),
      ...(list && { list: list.map(fill) }),
    })),
  };
}
