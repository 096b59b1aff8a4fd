import { noticeAddress } from '#contract/forms/privacy-notice.ts';
import { isFlagged, urls } from '#questionnaire/extensions.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { lockOffice, officeRow } from '#server/office-row.ts';
import { privacyNoticeOf, setPrivacyNotice } from './definition-sql.ts';
import type { MemberFormKey, VisitScope } from './member-form.ts';
import { findShownNotice, saveShownNotice } from './shown-notice-sql.ts';

export async function readPrivacyNotice(ctx: OfficeCtx): Promise<{ url: string }> {
  return ctx.transaction(async (tx) => ({ url: (await privacyNoticeOf(tx, ctx.officeId)) ?? '' }));
}

/** Forms that are open on a phone keep the address they were opened with, on their PDF too. */
export async function savePrivacyNotice(ctx: OfficeCtx, typed: string): Promise<{ url: string }> {
  const url = typed.trim() === '' ? null : noticeAddress(typed);
  if (url === null && typed.trim() !== '') throw new Refusal('not_https_address');
  return ctx.transaction(async (tx) => {
    await lockOffice(tx, ctx.officeId);
    const before = await privacyNoticeOf(tx, ctx.officeId);
    if (before === url) return { url: url ?? '' };
    await setPrivacyNotice(tx, ctx.officeId, url);
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'forms',
      details: { changed: 'privacyNotice', from: before, to: url },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    return { url: url ?? '' };
  });
}

/**
 * The form as a patient opens it: with the practice's own notice instead of the sentence that asks for it at the desk. Which address it shows
 * is saved for the PDF.
 */
export async function showPrivacyNotice(
  tx: Tx,
  ctx: VisitScope,
  key: MemberFormKey,
  questionnaire: Questionnaire,
): Promise<Questionnaire> {
  if (!withNotice(questionnaire.item ?? [], '')) return questionnaire;
  const url = await currentNotice(tx, ctx.officeId);
  await saveShownNotice(tx, ctx, key, { id: ctx.id(), url, shownAt: ctx.now() });
  return withPrivacyNotice(questionnaire, url);
}

/** The address that this form showed when it was opened with this link; the current one if it was not opened. */
export async function shownNotice(tx: Tx, ctx: VisitScope, key: MemberFormKey): Promise<string | null> {
  const shown = await findShownNotice(tx, ctx, key);
  return shown ? shown.url : currentNotice(tx, ctx.officeId);
}

/** The address that patients see: none while the practice is not confirmed, when anybody may have registered it. */
async function currentNotice(tx: Tx, officeId: string): Promise<string | null> {
  const { privacyNoticeUrl, confirmedAt } = await officeRow(tx, officeId);
  return confirmedAt === null ? null : privacyNoticeUrl;
}

/** The questionnaire with this address. The stored questionnaire stays as it is: one version for all practices. */
export function withPrivacyNotice(questionnaire: Questionnaire, url: string | null): Questionnaire {
  const item = url === null ? undefined : withNotice(questionnaire.item ?? [], url);
  return item ? { ...questionnaire, item } : questionnaire;
}

/** Undefined if nothing is to be replaced, so that other forms are not copied. */
function withNotice(items: readonly Item[], url: string): Item[] | undefined {
  let isChanged = false;
  const replaced = items.map((item) => {
    const below = item.item && withNotice(item.item, url);
    const isNotice = item.type === 'display' && isFlagged(item, urls.practiceNotice);
    isChanged ||= isNotice || below !== undefined;
    return isNotice ? noticeItem(item, url) : below ? { ...item, item: below } : item;
  });
  return isChanged ? replaced : undefined;
}

const noticeLabels = {
  en: 'Our Notice of Privacy Practices:',
  es: 'Nuestro Aviso de prácticas de privacidad:',
};

function noticeItem(item: Item, url: string): Item {
  const translation = [
    { url: 'lang', valueCode: 'es' },
    { url: 'content', valueString: `${noticeLabels.es} ${url}` },
  ];
  return {
    ...item,
    text: `${noticeLabels.en} ${url}`,
    _text: { extension: [{ url: urls.translation, extension: translation }] },
    extension: [{ url: urls.supportLink, valueUri: url }],
  };
}
