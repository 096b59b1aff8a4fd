import { isDeepStrictEqual } from 'node:util';
import { invalidDetails, type OfficeDetails } from '#contract/practice/details.ts';
import type { Language } from '#contract/shapes.ts';
import { fieldErrorTexts, numberToCall, webAddress } from '#contract/practice/registration.ts';
import type { OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { refuseConfusableName } from './name-taken.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { lockOfficeForChange, readOfficeUncached, setOfficeColumns } from './sql.ts';

type ShownDetails = OfficeDetails & { npi: string; npiProvisional: boolean };

type Scope = OfficeScope & { language: Language };

export async function officeDetails(ctx: OfficeScope): Promise<ShownDetails> {
  return ctx.transaction(async (tx) => toShownDetails(await readOfficeUncached(tx, ctx.officeId)));
}

/**
 * Changes the practice's details, unless `mayChange` refuses. A new time zone can change which day is "today", so both days' queues are
 * refreshed.
 */
export async function saveOfficeDetails(
  ctx: Scope,
  typed: OfficeDetails,
  mayChange?: (tx: Tx, row: OfficeRow) => Promise<void>,
): Promise<ShownDetails> {
  const wanted = tidy(typed);
  return ctx.transaction(async (tx) => {
    const row = await lockOfficeForChange(tx, ctx.officeId);
    await mayChange?.(tx, row);
    const before = toShownDetails(row);
    refuseInvalidDetails(ctx, wanted, before);
    const fields = Object.keys(wanted).sort() as (keyof OfficeDetails)[];
    const changed = fields.filter((field) => !isDeepStrictEqual(wanted[field], before[field]));
    if (changed.length === 0) return before;
    const place = ['name', 'addressLine1', 'city', 'state', 'zip'] as const;
    if (place.some((field) => changed.includes(field)))
      await refuseConfusableName(
        tx,
        { productName: ctx.env.productName, language: ctx.language },
        wanted,
        ctx.officeId,
      );

    const { email, url, phone, itContact, patientSize, ...plain } = wanted;
    const none = (text: string) => (text === '' ? null : text);
    await setOfficeColumns(tx, ctx.officeId, {
      ...plain,
      email: none(email),
      url: none(url),
      ...(phone !== undefined && { phone: none(phone) }),
      itContact: none(itContact),
      patientSize: none(patientSize),
    });
    const days = new Set([row.timeZone, wanted.timeZone].map((zone) => dayOf(ctx.now(), zone)));
    for (const day of days) await bumpQueue(tx, ctx.officeId, day, 'all');
    await writeAuditEntry(tx, ctx, {
      action: 'office.change',
      subject: 'office',
      details: { changed: changed.join(' ') },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    return { ...before, ...wanted };
  });
}

/** Refuses details that break a rule of the practice form, before anything is changed. */
export function refuseInvalidDetails(
  { language }: { language: Language },
  typed: OfficeDetails,
  before: OfficeDetails,
): void {
  const errorList = invalidDetails(tidy(typed), before).map((field) => ({
    field,
    message: fieldErrorTexts[field][language],
  }));
  if (errorList.length > 0) throw new Refusal('registration_incomplete', { errorList });
}

/** The stored spelling: trimmed, the email in lower case, the web address with its scheme, the phone as E.164. */
function tidy(details: OfficeDetails): OfficeDetails {
  const trimmed = Object.fromEntries(
    Object.entries(details).map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]),
  ) as OfficeDetails;
  return {
    ...trimmed,
    email: trimmed.email.toLowerCase(),
    url: trimmed.url === '' ? '' : (webAddress(trimmed.url) ?? trimmed.url),
    ...(trimmed.phone !== undefined && { phone: numberToCall(trimmed.phone) ?? trimmed.phone }),
    agesTreated: [...new Set(details.agesTreated)].sort(),
  };
}

function toShownDetails(row: OfficeRow): ShownDetails {
  return {
    name: row.name,
    addressLine1: row.addressLine1,
    city: row.city,
    state: row.state,
    zip: row.zip,
    email: row.email ?? '',
    itContact: row.itContact ?? '',
    emr: row.emr,
    patientSize: row.patientSize ?? '',
    agesTreated: [...row.agesTreated].sort(),
    url: row.url ?? '',
    phone: row.phone ?? '',
    timeZone: row.timeZone,
    npi: row.npi,
    npiProvisional: row.npiProvisional,
  };
}
