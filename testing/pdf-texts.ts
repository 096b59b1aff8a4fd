import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFPage } from 'pdf-lib';

/** The texts of a PDF in the order they are drawn, as a reader copies them; one for each text command. */
export async function pdfTexts(pdf: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  return document.getPages().flatMap(textsOf);
}

function textsOf(page: PDFPage): string[] {
  const fonts = fontsOf(page);
  let letters: ReadonlyMap<string, string> = new Map();
  const texts: string[] = [];
  let actualText: string | undefined;
  const commands = /\/ActualText (\(.*?[^\\]\))\s*>> BDC|(EMC)|(BT)|\/(\S+) [\d.]+ Tf|<([\dA-Fa-f]+)>/gs;
  for (const [, actual, end, begin, font, hex] of contentOf(page).matchAll(commands)) {
    if (actual !== undefined) texts.push((actualText = fromLiteral(actual)));
    else if (end) actualText = undefined;
    else if (actualText !== undefined) continue;
    else if (begin) texts.push('');
    else if (font !== undefined) letters = fonts.get(font) ?? new Map();
    else if (hex) {
      const text = (hex.match(/.{4}/g) ?? []).map((glyph) => letters.get(glyph.toLowerCase()) ?? '').join('');
      texts.push((texts.pop() ?? '') + text);
    }
  }
  return texts;
}

export function contentOf(page: PDFPage): string {
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : [contents];
  return streams.map(decoded).join('\n');
}

const decoded = (stream: unknown) =>
  stream instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1') : '';

/** Each font's characters by glyph, out of its ToUnicode map. */
function fontsOf(page: PDFPage): Map<string, ReadonlyMap<string, string>> {
  const fonts = page.node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict);
  return new Map(
    (fonts?.keys() ?? []).map((name) => {
      const map = decoded(fonts?.lookup(name, PDFDict).lookup(PDFName.of('ToUnicode')));
      const characters = new Map<string, string>();
      for (const [, first = '', list = ''] of map.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[(.*?)\]/gs))
        for (const [i, [, code = '']] of [...list.matchAll(/<([\da-f ]*)>/g)].entries())
          characters.set((parseInt(first, 16) + i).toString(16).padStart(4, '0'), fromUtf16(code));
      return [name.decodeText(), characters];
    }),
  );
}

const fromUtf16 = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');

/** A string in brackets, in UTF-16 if it begins with its mark. */
function fromLiteral(literal: string): string {
  const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const bytes = Buffer.from(
    literal.slice(1, -1).replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter),
    'latin1',
  );
  return bytes[0] === 0xfe && bytes[1] === 0xff
    ? bytes.subarray(2).swap16().toString('utf16le')
    : bytes.toString('latin1');
}
