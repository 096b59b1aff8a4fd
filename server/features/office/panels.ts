import { isFlagOn } from '#contract/flags.ts';
import { isAmbulatory, isSmsMode, isSmsModeOf } from '#contract/panel-mode.ts';
import type { PanelChoices, Panels } from '#contract/practice/panels.ts';
import type { OfficeCtx } from '#server/context.ts';
import { requireRecentProof } from '#server/features/security/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { flagLayersOf, withOfficeSetting } from './flags.ts';
import { lockOfficeForChange, readOfficeUncached, setOfficeSettings } from './sql.ts';

/** Which panel and screens the office works with. */
export async function panels(ctx: OfficeCtx): Promise<Panels> {
  const { settings } = await ctx.transaction((tx) => readOfficeUncached(tx, ctx.officeId));
  const layers = await flagLayersOf(ctx, ctx.caller);
  const ofOffice = { ...layers, user: {}, visibleDoctor: {} };
  const oldFormsScreen = isFlagOn('useOldFormsScreen', ofOffice);
  return {
    panel: isSmsMode(settings) ? 'sms' : 'queue',
    oldFormsScreen,
    chatEnabled: settings.chatEnabled === true,
    ambulatory: isAmbulatory(settings),
    checkInTab: !isFlagOn('disableCheckin', ofOffice),
    ownPanel: isSmsModeOf(layers) !== isSmsMode(settings),
    ownFormsScreen: isFlagOn('useOldFormsScreen', layers) !== oldFormsScreen,
  };
}

/** Switches panel, forms screen and chat for everybody in the office; open panels follow at once. */
export async function savePanels(ctx: OfficeCtx, wanted: PanelChoices): Promise<Panels> {
  requireRecentProof(ctx);
  const before = await panels(ctx);
  if (before.ambulatory && wanted.panel !== before.panel) throw new Refusal('panel_fixed');
  const changed = (['panel', 'oldFormsScreen', 'chatEnabled'] as const).filter((key) => wanted[key] !== before[key]);
  if (changed.length === 0) return before;

  await ctx.transaction(async (tx) => {
    const office = await lockOfficeForChange(tx, ctx.officeId);
    if (changed.includes('chatEnabled') && wanted.chatEnabled && office.confirmedAt === null)
      throw new Refusal('limited_chat');
    const settings = changed.reduce((now, key) => withChoice(now, key, wanted), office.settings);
    await setOfficeSettings(tx, ctx.officeId, settings);
    const { panel, oldFormsScreen, chatEnabled } = wanted;
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'panels',
      details: { changed: changed.join(' '), panel, oldFormsScreen, chatEnabled },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
  });
  return panels(ctx);
}

function withChoice(settings: OfficeRow['settings'], key: keyof PanelChoices, wanted: PanelChoices) {
  if (key === 'panel') return withOfficeSetting(settings, 'adminPanelType', wanted.panel === 'sms' ? 'sms' : undefined);
  if (key === 'oldFormsScreen') return withOfficeSetting(settings, 'useOldFormsScreen', wanted.oldFormsScreen);
  return withOfficeSetting(settings, 'chatEnabled', wanted.chatEnabled);
}
