import { isDeepStrictEqual } from 'node:util';
import type { ChatSettings, ShownChatSettings } from '#contract/practice/chat-settings.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { chatSettingsOf, messageSettingsOf, type OfficeRow } from '#server/office-row.ts';
import { lockOfficeForChange, readOfficeUncached, setChatSettings, setOfficeSettings } from './sql.ts';

export async function readChatSettings(ctx: OfficeCtx): Promise<ShownChatSettings> {
  const office = await ctx.transaction((tx) => readOfficeUncached(tx, ctx.officeId));
  return toShownSettings(ctx, office, chatSettingsOf(office));
}

/** Changes the settings of the website chat; open panels see the change at once. Running conversations stay. */
export async function saveChatSettings(ctx: OfficeCtx, wanted: ChatSettings): Promise<ShownChatSettings> {
  return ctx.transaction(async (tx) => {
    const office = await lockOfficeForChange(tx, ctx.officeId);
    if (wanted.chatEnabled && office.confirmedAt === null) throw new Refusal('limited_chat');
    const before = chatSettingsOf(office);
    const keys = Object.keys(before).sort() as (keyof ChatSettings)[];
    const changed = keys.filter((key) => !isDeepStrictEqual(wanted[key], before[key]));
    if (changed.length === 0) return toShownSettings(ctx, office, before);

    const { chatEnabled, ...settings } = wanted;
    await setChatSettings(tx, ctx.officeId, settings);
    if (changed.includes('chatEnabled')) await setOfficeSettings(tx, ctx.officeId, { ...office.settings, chatEnabled });
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'chat',
      details: { changed: changed.map((key) => (key === 'chatEnabled' ? key : `chat.${key}`)).join(' ') },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    return toShownSettings(ctx, office, wanted);
  });
}

const toShownSettings = ({ env }: OfficeCtx, office: OfficeRow, settings: ChatSettings): ShownChatSettings => ({
  ...settings,
  npi: office.npi,
  host: new URL(env.publicUrl).origin,
  expectedReplyMinutes: messageSettingsOf(office).expectedReplyMinutes,
});
