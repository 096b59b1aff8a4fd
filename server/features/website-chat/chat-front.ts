import type { ChatFront } from '#contract/website-chat.ts';
import type { AnyoneCtx, OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeIdByNpi } from '#server/kit/db/office-directory.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { chatHoursOf, chatSettingsOf, isChatOn, messageSettingsOf, officeRow } from '#server/office-row.ts';
import { openNow } from '#server/opening-hours.ts';

/** What the chat of a website shows before it begins. */
export async function readChatFront(ctx: AnyoneCtx, npi: string): Promise<ChatFront> {
  const scope = await chatOfNpi(ctx, npi);
  return scope.transaction((tx) => chatFrontOf(tx, scope));
}

/** The visitor's scope in the office that has, or had, this NPI. An office without a chat is like an unknown one. */
export async function chatOfNpi(ctx: AnyoneCtx, npi: string): Promise<OfficeScope> {
  const officeId = /^\d{10}$/.test(npi) ? await officeIdByNpi(ctx.pool, npi) : null;
  if (!officeId) throw new Refusal('chat_off');
  const scope = ctx.inOffice(officeId, { kind: 'patient', id: null, name: null });
  await scope.transaction((tx) => requireChat(tx, officeId));
  return scope;
}

/** Refuses if the office has turned its chat off. */
export async function requireChat(tx: Tx, officeId: string): Promise<void> {
  if (!isChatOn(await officeRow(tx, officeId))) throw new Refusal('chat_off');
}

export async function chatFrontOf(tx: Tx, { officeId, now }: OfficeScope): Promise<ChatFront> {
  const office = await officeRow(tx, officeId);
  const { color, greeting } = chatSettingsOf(office);
  const at = now();
  const { isOpen, hoursToday, nextOpening } = openNow(chatHoursOf(office), office.timeZone, at);
  return {
    npi: office.npi,
    officeName: office.name,
    color,
    greeting,
    timeZone: office.timeZone,
    isOpen,
    hoursToday,
    nextOpening: nextOpening?.toISOString() ?? null,
    expectedReplyMinutes: messageSettingsOf(office).expectedReplyMinutes,
    now: at.toISOString(),
  };
}
