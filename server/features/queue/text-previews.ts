import type { OpenedVisit, QueueEntry } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { requestedFormsFormatter } from './form-request.ts';
import { linkLabel, sentenceThatFits, textTemplates } from './text-templates.ts';

const tokenLength = 32;

/** What each button of a visit would text, as staff read it. */
export async function textsOfButtons(
  tx: Tx,
  ctx: OfficeCtx,
  { forms, language }: QueueEntry,
): Promise<Pick<OpenedVisit, 'formRequest' | 'texts'>> {
  const { name } = await officeRow(tx, ctx.officeId);
  const link = linkLabel[language];
  const missing = forms.filter(({ incomplete }) => incomplete).map(({ indicator }) => indicator);
  const formatForms = missing.length > 0 ? await requestedFormsFormatter(tx, ctx, language) : undefined;
  const requestOf = (formTypes: string[]) => textTemplates.form[language](name, link, formatForms?.(formTypes) ?? '');
  return {
    formRequest: missing.length > 0 ? requestOf(missing) : null,
    texts: {
      invite: textTemplates.invite[language](name, link),
      reinvite: textTemplates.reinvite[language](name, link),
      forms: Object.fromEntries(missing.map((type) => [type, requestOf([type])])),
    },
  };
}

/** What "Text a patient" sends to a number that the practice does not know, as staff read it. */
export function checkInTextOf(office: string, publicUrl: string): { checkInText: string; checkInLinkLength: number } {
  const url = `${publicUrl}/c/t/${'x'.repeat(tokenLength)}`;
  const sentence = sentenceThatFits('expect', { language: 'en', office, url });
  return { checkInText: textTemplates[sentence].en(office, linkLabel.en, ''), checkInLinkLength: url.length };
}
