import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentPath, publicDocuments } from '#contract/documents.ts';
import { languages } from '#contract/shapes.ts';
import { currentVersion } from '#server/features/agreement/index.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { translatedVersion } from './baa-es.ts';
import { createDocumentPdf } from './document-pdf.ts';
import { readDocument } from './published.ts';

let t: TestApp;
beforeAll(
  async () =>
    void (t = await openTestApp({ env: { PRODUCT_NAME: 'Waiting <Room> 候', OPERATOR_NAME: 'Maple & Sons LLC' } })),
);
afterAll(() => t.close());

const names = { product: 'Waiting <Room> 候', operator: 'Maple & Sons LLC' };
const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers });
const everyOne = publicDocuments.flatMap((file) => languages.map((language) => [file, language] as const));

test.each(everyOne)('%s in %s is a page with its whole text and no content from elsewhere', async (file, language) => {
  const page = await get(documentPath(file, language));
  const { writing, edition } = readDocument(file, language, names);
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body).toContain(`<html lang="${language}">`);
  expect(page.body).not.toContain('<Room>');
  expect(page.body).toContain(edition);
  for (const { heading } of writing.sections) expect(page.body).toContain(heading.split('<')[0]);
  expect(page.body).not.toMatch(
    /\{product\}|\{operator\}|<style|style=|<script(?! src="\/)| on\w+=|(src|href)="(?!\/|data:,)/,
  );
});

test.each(everyOne)('%s in %s is a PDF that our own page may frame, typeset once', async (file, language) => {
  const [one, two] = await Promise.all([1, 2].map(() => get(`/document/${language}/${file}`)));
  expect(one?.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-frame-options': 'SAMEORIGIN' });
  expect(one?.headers['content-security-policy']).toContain("frame-ancestors 'self'");
  expect(one?.rawPayload.equals(two?.rawPayload as Buffer)).toBe(true);
  const pdf = await PDFDocument.load(one?.rawPayload as Buffer);
  expect(pdf.getTitle()).toBe(readDocument(file, language, names).writing.title);
  expect(pdf.getPageCount()).toBeGreaterThan(1);
});

test('a document without a language is in the browser’s, and both languages have the same sections', async () => {
  const page = await get(documentPath('terms.pdf'), { 'accept-language': 'es-MX,es;q=0.9' });
  expect(page.body).toContain('Términos del servicio');
  expect((await get('/document?file=terms.pdf&lang=fr')).body).toContain('Terms of Service');
  for (const file of publicDocuments) {
    const [en, es] = languages.map((language) => readDocument(file, language, names).writing.sections);
    const shape = (sections: typeof en) =>
      sections?.map(({ paragraphs, list = [], clauses = [] }) => [
        paragraphs.length,
        list.length,
        ...clauses.map(({ mark }) => mark),
      ]);
    expect(shape(es)).toEqual(shape(en));
  }
});

test('the published agreement is the version that is signed now, and so is its translation', async () => {
  const page = (await get(documentPath('baa.pdf', 'en'))).body;
  expect(page).toContain(`Version ${currentVersion}`);
  expect(page).toContain('[name of the practice], NPI [NPI], [address]');
  expect(page).toContain('Maple &#38; Sons LLC (“Business Associate”)');
  expect(translatedVersion).toBe(currentVersion);
});

test('long words and long documents stay within their pages', async () => {
  const sections = Array.from({ length: 12 }, (_, i) => ({
    heading: `${i}. Heading`,
    paragraphs: ['word '.repeat(400)],
  }));
  const pdf = await createDocumentPdf(
    { title: 'Long', intro: ['x'.repeat(300)], sections },
    { product: 'P', language: 'en', edition: 'Version 1' },
  );
  expect((await PDFDocument.load(pdf)).getPageCount()).toBeGreaterThan(5);
});

const secrets = [
  '/etc/passwd',
  'etc/passwd',
  'package.json',
  'server/env.ts',
  '.data/secrets/session',
  'secrets/session',
  'dist/web/panel.html',
];
const climbs = [
  '../',
  '../../../../',
  '..\\..\\',
  '....//',
  '%2e%2e%2f',
  '%252e%252e%252f',
  '..%2f..%2f',
  '..%c0%af',
  '%5c..%5c',
  '/',
  '//',
  './',
  '..;/',
  '..././',
  '%00../',
  'terms.pdf/../',
];
const schemes = [
  'https://evil.test/a.pdf',
  '//evil.test/a.pdf',
  '\\\\evil.test\\a.pdf',
  'http:evil.test',
  'ftp://evil.test/a.pdf',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(document.cookie)//terms.pdf',
  'data:text/html,<script>alert(1)</script>',
  'data:application/pdf;base64,JVBERi0=',
  'blob:https://evil.test/1',
  'view-source:http://evil.test',
  'vbscript:msgbox(1)',
  'https:%2f%2fevil.test%2fa.pdf',
  'https://evil.test?terms.pdf',
  'https://evil.test#terms.pdf',
  'terms.pdf@evil.test',
  'http://127.0.0.1:22/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
];
const nearly = [
  'terms',
  'TERMS.PDF',
  'Terms.pdf',
  'terms.pdf ',
  ' terms.pdf',
  'terms.pdf%00',
  'terms.pdf%00.html',
  'terms%00.pdf',
  'terms.pdf/',
  'terms.pdf%0d%0aLocation:%20https://evil.test',
  'terms.pdf%0a',
  'terms.pdf?x',
  'terms.pdf%23',
  'terms.pdf;x',
  'terms.pdf,privacy.pdf',
  'terms.pdf&file=privacy.pdf',
  'terms.pdf&file=https://evil.test',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '0',
  '',
  '%',
  '%zz',
  '%ff%fe',
  'terms.pdf'.repeat(200),
  '"><script>alert(1)</script>',
  '\'"><img src=x onerror=alert(1)>',
  '${7*7}',
  '{{7*7}}',
  '*',
  '*.pdf',
  '[terms.pdf]',
  'en/terms.pdf',
  'ｔerms.pdf',
  'terms。pdf',
  'term\u0455.pdf',
];
const inQuery = [
  ...climbs.flatMap((up) => secrets.map((file) => up + file)),
  ...climbs.map((up) => `${up}terms.pdf`),
  ...schemes,
  ...nearly,
].map(
  (file) =>
    `/document?file=${/[%&]/.test(file) ? file.replace(/[ <>"#]/g, encodeURIComponent) : encodeURIComponent(file)}`,
);
const elsewhere = [
  '/document?file[]=terms.pdf',
  '/document?file[a]=terms.pdf',
  '/document?File=terms.pdf',
  '/document?url=https://evil.test',
  '/document?next=//evil.test',
  '/document',
  '/document?',
  '/document//evil.test',
  '/document/..%2f..%2fetc/passwd',
  '/document/en/..%2f..%2f..%2fetc%2fpasswd',
  '/document/en/%2e%2e/%2e%2e/package.json',
  '/document/../package.json',
  '/document/en/page.css',
  '/document/en/terms.ts',
  '/document/fr/terms.pdf',
  '/document/__proto__/terms.pdf',
  '/document/en/constructor',
  '/document/page.ts',
  '/document/routes.ts',
  '/document/%2e%2e/routes.ts',
  '/document/en/terms.pdf%00',
  '/document/en/TERMS.pdf',
  '/document/en//evil.test/terms.pdf',
  '/document/https:%2f%2fevil.test/terms.pdf',
  '/document/en/https:%2f%2fevil.test',
  '/document/en/terms.pdf/../../../package.json',
];

test('more than 200 attempts to open something else are refused, without leaking content or redirecting', async () => {
  const tries = [...inQuery, ...elsewhere];
  expect(tries.length).toBeGreaterThanOrEqual(200);
  const opened: string[] = [];
  for (const url of tries) {
    const answer = await get(url, { accept: 'text/html' });
    const isRefused = answer.statusCode === 404 || answer.statusCode === 400;
    const leaks = /evil\.test|root:|"dependencies"|import |alert\(|%PDF/.test(answer.body);
    if (!isRefused || leaks || answer.headers.location !== undefined) opened.push(`${answer.statusCode} ${url}`);
  }
  process.stdout.write(`documents: ${tries.length} tries, ${opened.length} opened something\n`);
  expect(opened).toEqual([]);
});
