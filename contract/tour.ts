import type { Language } from './shapes.ts';

/** The public page about the product. Without a language it uses the browser's. */
export function tourPath(language?: Language): string {
  return language ? `/tour?lang=${language}` : '/tour';
}

export const setUpHash = '#set-up';

export const demoOfficeHash = '#demo-office';

/** The entrance of a demo installation, with a demo office's address filled in. */
export const demoOfficePath = `/${demoOfficeHash}`;

export const requestDemoHash = '#request-demo';

/** The entrance, where somebody asks for a demonstration. */
export const requestDemoPath = `/${requestDemoHash}`;

/** The entrance, where a new practice starts. */
export const setUpPath = `/${setUpHash}`;
