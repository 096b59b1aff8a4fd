import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFPage } from 'pdf-lib';

/** The texts of a PDF in the order they are drawn, each as one call drew it. */
export async function pdfTexts(pdf: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  return document.getPages().flatMap(textsOf);
}

function textsOf(page: PDFPage): string[] {
  const fonts = fontsOf(page);
  let letters: ReadonlyMap<string, string> = new Map();
  const texts: string[] = [];
  for (const [, font, hex] of contentOf(page).matchAll(/\/(\S+) [\d.]+ Tf|<([\dA-Fa-f]*)> Tj/g)) {
    if (font !== undefined) letters = fonts.get(font) ?? new Map();
    else texts.push((hex?.match(/.{4}/g) ?? []).map((glyph) => letters.get(glyph.toUpperCase()) ?? '').join(''));
  }
  return texts;
}

function contentOf(page: PDFPage): string {
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : [contents];
  return streams.map(decoded).join('\n');
}

const decoded = (stream: unknown) =>
  stream instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1') : '';

/** Each font's letters by glyph, out of its ToUnicode map. */
function fontsOf(page: PDFPage): Map<string, ReadonlyMap<string, string>> {
  const fonts = page.node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict);
  return new Map(
    (fonts?.keys() ?? []).map((name) => {
      const map = decoded(fonts?.lookup(name, PDFDict).lookup(PDFName.of('ToUnicode')));
      const pairs = [...map.matchAll(/<([\dA-Fa-f]{4})> <([\dA-Fa-f]+)>/g)];
      return [
        name.decodeText(),
        new Map(pairs.map(([, glyph = '', code = '']) => [glyph.toUpperCase(), fromUtf16(code)])),
      ];
    }),
  );
}

const fromUtf16 = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
