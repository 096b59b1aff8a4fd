import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { hasContrastWithWhite, PartnerBrand } from '#contract/partner.ts';
import { UsageError, type Command } from '#server/kit/command.ts';
import { partnerBrand } from './brand.ts';
import { savedBrand, saveBrand } from './sql.ts';

const pictures: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml', '.webp': 'image/webp' };
const largestLogo = 100_000;

export const partnerCommands: readonly Command[] = [
  {
    name: 'partner brand',
    takes: '[--name NAME] [--logo FILE|none] [--colors #RRGGBB,#RRGGBB]',
    says: "Shows or changes how the partner's registration pages look: name, logo (PNG, SVG, WebP), the panel's two colours.",
    options: ['name', 'logo', 'colors'],
    async run({ services, say }, { options }) {
      const { name, logo, colors } = options;
      const wanted = {
        ...(name !== undefined && { name: readPart('name', name) }),
        ...(logo !== undefined && { logo: logo === 'none' ? null : await readLogo(logo) }),
        ...(colors !== undefined && { colors: readColors(colors) }),
      };
      if (Object.keys(wanted).length > 0)
        await saveBrand(services.db, { ...(await savedBrand(services.db)), ...wanted });
      const brand = await partnerBrand(services.db);
      say(`name    ${brand.name}`);
      say(`logo    ${brand.logo === null ? 'none: the name in letters' : `${brand.logo.length} characters`}`);
      say(`colors  ${brand.colors.join(',')}`);
    },
  },
];

function readColors(text: string): PartnerBrand['colors'] {
  const colors = readPart('colors', text.split(','));
  const pale = colors.find((color) => !hasContrastWithWhite(color));
  if (pale !== undefined) throw new UsageError(`White words cannot be read on ${pale}: choose a darker colour.`);
  return colors;
}

async function readLogo(file: string): Promise<string> {
  const type = pictures[extname(file).toLowerCase()];
  if (!type) throw new UsageError('The logo must be a .png, .svg or .webp file.');
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
  if (bytes.length > largestLogo)
    throw new UsageError(`The logo may have ${largestLogo} bytes, it has ${bytes.length}.`);
  return `data:${type};base64,${bytes.toString('base64')}`;
}

function readPart<Part extends 'name' | 'colors'>(part: Part, value: unknown): PartnerBrand[Part] {
  const read = PartnerBrand.shape[part].safeParse(value);
  if (!read.success)
    throw new UsageError(
      part === 'name' ? 'The name must have 1 to 60 letters.' : 'Give two colours such as #1f6197,#123d61.',
    );
  return read.data as PartnerBrand[Part];
}
