import { readdirSync } from 'node:fs';
import sharp, { type OverlayOptions } from 'sharp';
import { folder } from './looks.ts';

/** Sheets of several pictures of one look each: four of a wide screen or five of a phone, at a size that can be read. */
const kinds = [
  { look: /--(1366|1920)-/, columns: 2, rows: 2, width: 960, height: 540 },
  { look: /--(390|320)-/, columns: 5, rows: 1, width: 390, height: 1_300 },
];

export default async function contactSheets(): Promise<void> {
  const pictures = readdirSync(folder).filter((file) => file.endsWith('.png') && file.includes('--'));
  const looks = [...new Set(pictures.map((file) => file.split('--')[1] ?? ''))];
  for (const look of looks) {
    const kind = kinds.find((each) => each.look.test(`--${look}`));
    if (!kind) continue;
    const { columns, rows, width, height } = kind;
    const files = pictures.filter((file) => file.endsWith(`--${look}`)).toSorted();
    for (let first = 0; first < files.length; first += columns * rows) {
      const here = files.slice(first, first + columns * rows);
      const fitted = await Promise.all(
        here.map((file) =>
          sharp(`${folder}/${file}`)
            .resize({ width, height, fit: 'inside', withoutEnlargement: true })
            .png()
            .toBuffer({ resolveWithObject: true }),
        ),
      );
      const rowHeight = Math.max(...fitted.map(({ info }) => info.height)) + 10;
      const cells = fitted.map(({ data }, i): OverlayOptions => {
        return { input: data, left: (i % columns) * (width + 10), top: Math.floor(i / columns) * rowHeight };
      });
      const sheet = `sheet-${look.replace('.png', '')}-${String(first / (columns * rows) + 1).padStart(2, '0')}.png`;
      const size = { width: columns * (width + 10), height: Math.ceil(here.length / columns) * rowHeight };
      await sharp({ create: { ...size, channels: 3, background: '#888' } })
        .composite(cells)
        .png()
        .toFile(`${folder}/${sheet}`);
    }
  }
}
