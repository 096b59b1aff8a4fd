import * as z from 'zod/mini';
import { carriesWhite, PartnerBrand, partnerBrandDefault, partnerKey } from '#contract/partner.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { savedBrand } from './sql.ts';

/** The looks of the partner of this name. */
export async function readBrand({ db }: Pick<Services, 'db'>, partner: string): Promise<PartnerBrand> {
  requirePartner(partner);
  return partnerBrand(db);
}

/** There is one partner; every other name is as unknown as any path. */
export function requirePartner(named: string): void {
  if (named !== partnerKey) throw new Refusal('not_found');
}

/** How the partner's pages look: what the installation saved, over the usual. A part that cannot be shown well is not taken. */
export async function partnerBrand(db: Db): Promise<PartnerBrand> {
  const saved = await savedBrand(db);
  const { name, logo, colors } = PartnerBrand.shape;
  const part = <T>(schema: z.ZodMiniType<T>, given: unknown, usual: T): T => {
    const read = z.safeParse(schema, given);
    return read.success ? read.data : usual;
  };
  const wanted = part(colors, saved.colors, partnerBrandDefault.colors);
  return {
    name: part(name, saved.name, partnerBrandDefault.name),
    logo: part(logo, saved.logo, partnerBrandDefault.logo),
    colors: wanted.every(carriesWhite) ? wanted : partnerBrandDefault.colors,
  };
}
