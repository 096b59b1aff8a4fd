import { execFileSync, spawnSync } from 'node:child_process';

/** Poppler's tools read a PDF as other programs do. A bare machine may lack them; .ci/run installs them. */
export const hasPoppler = spawnSync('pdfinfo', ['-v']).error === undefined;

/** The text as a reader copies it. */
export const pdfToText = (pdf: Uint8Array): string =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });

/** The structure tree with its text. */
export const structureText = (pdf: Uint8Array): string =>
  execFileSync('pdfinfo', ['-struct-text', '-'], { input: pdf, encoding: 'utf8' });
