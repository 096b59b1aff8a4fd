import type { Language } from './shapes.ts';

/** The public documents, at `/document?file=`. */
export const publicDocuments = ['terms.pdf', 'privacy.pdf', 'baa.pdf'] as const;
export type PublicDocument = (typeof publicDocuments)[number];

/** The page that shows a public document; without a language it uses the browser's. */
export function documentPath(file: PublicDocument, language?: Language): string {
  return `/document?file=${file}${language ? `&lang=${language}` : ''}`;
}
