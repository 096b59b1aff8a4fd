import type { FormFinding, KnownForm, FormSettings, LoadedForm } from '#contract/forms/settings.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { OfficeCtx } from '#server/context.ts';
import { todayOf } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { isLimited, lockOffice } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { knownForm, useVersionsUpTo } from './definition-sql.ts';
import { addOwnForm, nextVersion, readDefinition } from './definitions.ts';
import type { NewDefinition } from './new-definition.ts';
import { checkWithRemoteLists } from './remote-lists.ts';
import { settingsOf, toKnownForm } from './settings.ts';

interface LoadRequest {
  text: string;
  check?: boolean | undefined;
  formType?: string | undefined;
  editedFrom?: number | undefined;
}

/** Loading one form takes two calls: one that only checks it, and one that loads it. */
const perOffice = { name: 'form-loads', points: 30, seconds: 600 };

/**
 * Loads a questionnaire for this office, or with `check` only reports what is wrong with it. A questionnaire with an error is not loaded.
 * Every try is in the audit log.
 */
export async function loadForm(
  ctx: OfficeCtx,
  { text, check = false, formType, editedFrom }: LoadRequest,
): Promise<LoadedForm> {
  await ctx.limits.take(perOffice, ctx.officeId);
  const judged = await checkWithRemoteLists(ctx, text);
  const findings = judged.findings.map(toFormFinding);
  const definition = judged.definition && { ...judged.definition, type: formType ?? judged.definition.type };
  return ctx.transaction(async (tx) => {
    if (!definition) {
      const errors = judged.findings.filter(({ severity }) => severity === 'error').length;
      await writeAuditEntry(tx, ctx, {
        action: 'form.check',
        subject: null,
        details: { form: formType ?? null, errors },
      });
      return { form: null, findings, becomes: null };
    }
    const { type, name } = definition;
    const replaces = await formInUse(tx, ctx.officeId, type);
    if (check) {
      const version = await nextVersion(tx, ctx.officeId, definition);
      await writeAuditEntry(tx, ctx, { action: 'form.check', subject: null, details: { form: type, errors: 0 } });
      return { form: null, findings, becomes: { formType: type, version, name, replaces } };
    }
    const form = await addForm(tx, ctx, definition, editedFrom);
    return { form, findings, becomes: { formType: type, version: form.version, name, replaces } };
  });
}

/** A finding with where and what it is. An item without a linkId got a made-up one (`?1`) when it was read. */
function toFormFinding({ code, severity, place, detail, linkId, itemText, expression, cause }: Finding): FormFinding {
  return {
    code,
    severity,
    place,
    detail: detail ?? null,
    linkId: linkId === undefined || /^\?\d+$/.test(linkId) ? null : linkId,
    words: itemText ?? null,
    expression: expression ?? null,
    cause: cause ?? null,
  };
}

/** A limited practice may load its own forms, but not replace a form that patients are asked for. */
async function refuseWhileLimited(tx: Tx, officeId: string, type: string): Promise<void> {
  await lockOffice(tx, officeId);
  const { forms } = await settingsOf(tx, officeId);
  if (forms.some((form) => form.enabled && form.type === type) && (await isLimited(tx, officeId)))
    throw new Refusal('limited_questionnaires');
}

/** Saving the same questionnaire once more, such as after a lost reply, is no conflict. */
async function refuseIfChanged(tx: Tx, officeId: string, definition: NewDefinition, editedFrom: number): Promise<void> {
  const inUse = (await formInUse(tx, officeId, definition.type))?.version ?? 0;
  if (inUse !== editedFrom && inUse !== (await nextVersion(tx, officeId, definition)))
    throw new Refusal('form_edited_meanwhile');
}

/** The lock on the office, taken by `refuseWhileLimited`, lets only one of two simultaneous edits through. */
async function addForm(
  tx: Tx,
  ctx: OfficeCtx,
  definition: NewDefinition,
  editedFrom: number | undefined,
): Promise<KnownForm> {
  await refuseWhileLimited(tx, ctx.officeId, definition.type);
  if (editedFrom !== undefined) await refuseIfChanged(tx, ctx.officeId, definition, editedFrom);
  const origin = { officeId: ctx.officeId, id: ctx.id(), at: ctx.now(), by: ctx.caller.personId };
  const { id, version, isNew } = await addOwnForm(tx, origin, definition);
  await writeAuditEntry(tx, ctx, { action: 'form.load', subject: id, details: { form: definition.type, version } });
  if (isNew) await sendHint(tx, { office: ctx.officeId, type: 'settings' });
  return { id, formType: definition.type, version, name: definition.name, own: true };
}

/** The form of that type in use, built in or the office's own. */
async function formInUse(tx: Tx, officeId: string, type: string): Promise<KnownForm | null> {
  const row = await knownForm(tx, officeId, type);
  return row ? toKnownForm(row) : null;
}

/** Puts the versions of an own form up to `version` in use, and the later ones out of use. */
export async function chooseFormVersion(ctx: OfficeCtx, type: string, version: number): Promise<FormSettings> {
  const { officeId } = ctx;
  return ctx.transaction(async (tx) => {
    await refuseWhileLimited(tx, officeId, type);
    const isKnown = await useVersionsUpTo(tx, { officeId, type, version, at: ctx.now() });
    if (!isKnown) throw new Refusal('form_not_found');
    if (
      !(await formInUse(tx, officeId, type)) &&
      (await settingsOf(tx, officeId)).forms.some((form) => form.type === type)
    )
      throw new Refusal('form_in_use');
    await bumpQueue(tx, officeId, await todayOf(tx, ctx), 'all');
    await writeAuditEntry(tx, ctx, { action: 'form.use', subject: null, details: { form: type, version } });
    for (const hint of ['settings', 'checkin']) await sendHint(tx, { office: officeId, type: hint });
    return settingsOf(tx, officeId);
  });
}

/** One definition, to preview it as the patient sees it. */
export async function readForm(
  ctx: OfficeCtx,
  definitionId: string,
): Promise<KnownForm & { questionnaire: Questionnaire }> {
  return ctx.transaction(async (tx) => {
    const definition = await readDefinition(tx, ctx.officeId, definitionId);
    if (!definition) throw new Refusal('form_not_found');
    const { id, type, version, name, own, questionnaire } = definition;
    return { id, formType: type, version, name, own, questionnaire };
  });
}
