import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  name: string;
  bytes: number;
  at: Date;
  open(): Promise<Readable>;
}

/**
 * A zip that is written while it is read. One file is open at a time, and nothing is compressed, because PDFs already are; so its length is
 * known before its first byte. An entry that cannot be opened breaks the stream: half a zip must not look whole. If the reader stops, the
 * open file is closed.
 */
export function createZip(entries: readonly ZipEntry[]): Promise<{ content: Readable; bytes: number }> {
  const zip = new ZipFile();
  const content = zip.outputStream as Readable;
  let reading: Readable | undefined;
  content.once('close', () => reading?.destroy());
  for (const { name, bytes, at, open } of entries)
    zip.addReadStreamLazy(name, { compress: false, size: bytes, mtime: at, mode: 0o100644 }, (give) => {
      open().then(
        (stream) => {
          reading = stream;
          if (content.destroyed) stream.destroy();
          else give(null, stream);
        },
        (error: unknown) => give(error, null as never),
      );
    });
  zip.on('error', (error: Error) => content.destroy(error));
  // The library's types lack this callback with the total size. Without the 64-bit directory it is 76 bytes too large beyond some 700
  // files.
  const end = zip.end.bind(zip) as unknown as (how: object, told: (bytes: number) => void) => void;
  return new Promise((resolve) => end({ forceZip64Format: true }, (bytes) => resolve({ content, bytes })));
}

/**
 * Turns typed names into file names: no folders, no control or direction-changing characters, nothing that Windows refuses. Equal names are
 * numbered. Each name ends in `.pdf`.
 */
export function namesFor(wanted: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return wanted.map((name) => {
    const plain = safeName(name);
    for (let n = 1; ; n++) {
      const tried = n === 1 ? `${plain}.pdf` : `${plain} (${n}).pdf`;
      const folded = tried.toLowerCase();
      if (usedNames.has(folded)) continue;
      usedNames.add(folded);
      return tried;
    }
  });
}

export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[ .-]+|[ .]+$/g, '');
  const short = truncate(plain, 80, 200).trimEnd();
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? `form ${short}`.trimEnd() : short;
}

/** Truncates to the allowed letters and bytes: a file name may have 255 bytes in any script. */
function truncate(text: string, letters: number, bytes: number): string {
  const characters = [...text].slice(0, letters);
  while (Buffer.byteLength(characters.join('')) > bytes) characters.pop();
  return characters.join('');
}
