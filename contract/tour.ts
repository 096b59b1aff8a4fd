import type { Language } from './shapes.ts';

/** The public page about the product. Without a language it uses the browser's. */
export function tourPath(language?: Language): string {
  return language ? `/tour?lang=${language}` : '/tour';
}
