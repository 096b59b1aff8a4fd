import { flagsOf, type Settings } from '#contract/flags.ts';
import type { PublicConfig } from '#contract/practice/office.ts';
import type { AnyoneCtx, PersonCtx } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { featuresOf, flagLayersOf } from './flags.ts';
import { globalSettings, readOfficeUncached } from './sql.ts';

/**
 * The services that stand-ins replace. Card payments count while patients pay through a stand-in, whoever approves the practice; the practice
 * software counts where there are card payments to record.
 */
function localProvidersOf({ charges, merchant, ...providers }: AnyoneCtx['providers']): PublicConfig['localProviders'] {
  const names = (['sms', 'email', 'push', 'google', 'esign', 'card'] as const).filter(
    (name) => providers[name]?.name === 'local',
  );
  if (merchant.name === 'off') return names;
  return [
    ...names,
    ...(charges.name === 'local' ? (['merchant'] as const) : []),
    ...(providers.practiceSoftware.name === 'local' ? (['practiceSoftware'] as const) : []),
  ];
}

/** The lowest price of a plan; null if it is not known soon. */
async function lowestPrice({ planPrices }: Pick<AnyoneCtx, 'planPrices'>): Promise<number | null> {
  const cents = await planPrices();
  return cents && Math.min(...Object.values(cents));
}

/** What a page may know before anybody signs in. */
export async function publicConfig(ctx: AnyoneCtx): Promise<PublicConfig> {
  const { env } = ctx;
  const [{ clearBrowserData }, monthlyFromCents] = await Promise.all([globalSettings(ctx.db), lowestPrice(ctx)]);
  return {
    productName: env.productName,
    esign: ctx.providers.esign.name,
    card: ctx.providers.card.name,
    localProviders: localProvidersOf(ctx.providers),
    payments: ctx.providers.merchant.name !== 'off',
    google: ctx.providers.google !== null,
    demo: env.demo,
    clearBrowserData: typeof clearBrowserData === 'boolean' ? clearBrowserData : env.demo,
    operatorHasEmail: env.operatorEmail !== undefined,
    secureOrigin: ctx.http.secure,
    monthlyFromCents,
  };
}

/** The public part, the caller's flags, and their office's settings under the older API's names. */
export async function config(ctx: PersonCtx) {
  const layers = await flagLayersOf(ctx, ctx.caller);
  const { office } = ctx.caller;
  const row = office && (await asOffice(ctx.db, office.id, (tx) => readOfficeUncached(tx, office.id)));
  const ofOffice = (row?.settings ?? {}) as Settings;
  const { autoInviteEnabled, autoInviteWaitTime } = (row?.queueSettings ?? {}) as Settings;
  return {
    ...(await publicConfig(ctx)),
    flags: flagsOf(layers),
    features: { ...featuresOf(layers.global), ...featuresOf(ofOffice) },
    settings: { ...layers.global, ...ofOffice, ...(row && { autoInviteEnabled, autoInviteWaitTime }) },
  };
}
