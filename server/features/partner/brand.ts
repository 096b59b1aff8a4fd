import * as z from 'zod/mini';
import { hasContrastWithWhite, PartnerBrand, partnerBrandDefault, partnerKey } from '#contract/partner.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { savedBrand } from './sql.ts';

/** The brand of the partner with this name. */
export async function readBrand({ db }: Pick<Services, 'db'>, partner: string): Promise<PartnerBrand> {
  requirePartner(partner);
  return partnerBrand(db);
}

/** Refuses any name but that of the one partner. */
export function requirePartner(name: string): void {
  if (name !== partnerKey) throw new Refusal('not_found');
}

/** The brand of the partner's pages: the saved parts over the defaults. An invalid part is replaced by its default. */
export async function partnerBrand(db: Db): Promise<PartnerBrand> {
  const saved = await savedBrand(db);
  const { name, logo, colors } = PartnerBrand.shape;
  const part = <T>(schema: z.ZodMiniType<T>, value: unknown, fallback: T): T => {
    const read = z.safeParse(schema, value);
    return read.success ? read.data : fallback;
  };
  const colorPair = part(colors, saved.colors, partnerBrandDefault.colors);
  return {
    name: part(name, saved.name, partnerBrandDefault.name),
    logo: part(logo, saved.logo, partnerBrandDefault.logo),
    colors: colorPair.every(hasContrastWithWhite) ? colorPair : partnerBrandDefault.colors,
  };
}
