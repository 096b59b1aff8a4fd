import { isDeepStrictEqual } from 'node:util';
import type {
  MessageSettings,
  MessageSettingsWithText,
  ShownMessageSettings,
} from '#contract/practice/message-settings.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { checkInPage, defaultSmsText, messageSettingsOf, type OfficeRow } from '#server/office-row.ts';
import { checkInTextOf } from '#server/features/queue/index.ts';
import { changeSmsText } from './sms-text.ts';
import { lockOfficeForChange, readOfficeUncached, setMessageSettings } from './sql.ts';

export async function readMessageSettings(ctx: OfficeCtx): Promise<ShownMessageSettings> {
  const office = await ctx.transaction((tx) => readOfficeUncached(tx, ctx.officeId));
  return toShownSettings(ctx, office, messageSettingsOf(office), defaultSmsText(office, ctx.env.publicUrl));
}

/** Changes the message settings. Texts that already have their time keep it; open panels see the change at once. */
export async function saveMessageSettings(
  ctx: OfficeCtx,
  wanted: MessageSettingsWithText,
): Promise<ShownMessageSettings> {
  const { defaultText, ...rest } = wanted;
  const settings = tidy(rest);
  return ctx.transaction(async (tx) => {
    const office = await lockOfficeForChange(tx, ctx.officeId);
    const before = messageSettingsOf(office);
    const textBefore = defaultSmsText(office, ctx.env.publicUrl);
    const keys = Object.keys(settings).sort() as (keyof MessageSettings)[];
    const changed: string[] = keys.filter((key) => !isDeepStrictEqual(settings[key], before[key]));
    if (changed.length > 0) await setMessageSettings(tx, ctx.officeId, settings);

    const isOtherText = defaultText.trim() !== textBefore;
    const savedText = isOtherText ? await changeSmsText(tx, ctx, office, defaultText) : textBefore;
    if (isOtherText) changed.push('smsText');
    if (changed.length > 0) {
      await writeAuditEntry(tx, ctx, {
        action: 'settings.change',
        subject: 'messages',
        details: { changed: changed.join(' ') },
      });
      await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    }
    return toShownSettings(ctx, office, settings, savedText);
  });
}

const toShownSettings = (ctx: OfficeCtx, office: OfficeRow, settings: MessageSettings, defaultText: string) => ({
  ...settings,
  defaultText,
  officeName: office.name,
  checkInPage: checkInPage(office, ctx.env.publicUrl),
  ...checkInTextOf(office.name, ctx.env.publicUrl),
});

const tidy = (settings: MessageSettings): MessageSettings => ({
  ...settings,
  snippets: settings.snippets.map(({ id, name, text }) => ({
    id,
    name: name.trim(),
    text: { en: text.en.trim(), es: text.es.trim() },
  })),
});
