import type { Tx } from '#server/kit/db/db.ts';
import { filingClock } from './filing-clock.ts';
import { creatingOnly } from './extraction-bundle.ts';
import type { FormDelivery } from '#contract/forms/desk.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { newestOperation, unclear, type OperationRow } from '#server/kit/provider-operations/sql.ts';
import { resumable, runOperation, type OperationKind } from '#server/kit/provider-operations/operations.ts';
import { isLimited, officeRow } from '#server/office-row.ts';
import { FhirRefused } from '#server/providers/fhir/port.ts';
import { readFiled } from './download-data.ts';
import { findPdf, type FormKey } from './download-forms.ts';
import { extractInWorker } from './form-work.ts';
import { uuidIdentifier } from './response-resource.ts';

const perOffice = { name: 'form-send', points: 120, seconds: 3600 };

/**
 * Posts a filed form, and what its answers become, to the FHIR server. The server is first asked whether it has the form: the transaction is all or
 * nothing, so it has all of it or none. Repeating the call is therefore harmless, once the first one has ended: a slow server may still be at
 * work when we stop waiting, so it is asked again after minutes only.
 */
const sendOperation: OperationKind<{ key: string; formId: string }, { wasThere: boolean }> = {
  kind: 'fhir.form',
  repeatable: true,
  leastRetryMs: 120_000,
  async call(scope, { input }) {
    const { fhirServer } = scope.providers;
    const { npi, timeZone } = await scope.transaction((tx) => officeRow(tx, scope.officeId));
    const { filed, questionnaire, resource } = await readFiled({ ...scope, language: 'en' }, input.key);
    const { system, value } = uuidIdentifier(filed.id);
    if (await fhirServer.hasResponse(npi, `${system}|${value}`)) return { wasThere: true };
    const { bundle } = await extractInWorker(
      {
        questionnaire,
        resource,
        patient: filed.patient,
        clock: filingClock(filed.completedAt, timeZone),
        launch: filed.launch,
      },
      scope.officeId,
    );
    await fhirServer.post(npi, creatingOnly(bundle, filed.id));
    return { wasThere: false };
  },
  async settle(tx, scope, { input }, { wasThere }) {
    const details = { sent: true, before: wasThere };
    await writeAuditEntry(tx, scope, { action: 'form.send', subject: input.formId, details });
  },
  reasonOf(error, isRepeat) {
    if (error instanceof FhirRefused) return isRepeat && !error.isAboutSending ? null : error.problem;
    // Our own refusal of its size is about the form, so it stays.
    const isFinal = error instanceof Refusal && (!isRepeat || error.code === 'extraction_too_large');
    return isFinal ? error.code : null;
  },
};

/** The operations of forms that a job finishes if their process did not. */
export const formOperations = [resumable(sendOperation)];

/** Whether a form is on the FHIR server. */
export async function readDelivery(ctx: OfficeCtx, formKey: FormKey): Promise<FormDelivery> {
  return ctx.transaction(async (tx) => {
    const { id } = await findPdf(tx, ctx, formKey);
    const operation = await newestOperation(tx, ctx.officeId, subjectOf(id));
    return {
      hasServer: await hasServer(tx, ctx),
      state: stateOf(operation),
      reason: operation?.state === 'refused' || isUnclear(operation) ? (operation?.reason ?? null) : null,
      at: (operation?.endedAt ?? operation?.startedAt)?.toISOString() ?? null,
    };
  });
}

/** Sends a form, once: a form that is there or on its way is not sent again. */
export async function sendForm(ctx: OfficeCtx, formKey: FormKey): Promise<FormDelivery> {
  if (!(await ctx.transaction((tx) => hasServer(tx, ctx)))) throw new Refusal('no_fhir_server');
  const before = await readDelivery(ctx, formKey);
  // Nor one whose server did not answer in time: a job asks the server again, once that is safe.
  if (before.state === 'sent' || before.state === 'sending' || before.reason === unclear) return before;
  await ctx.limits.take(perOffice, ctx.officeId);
  const { id } = await ctx.transaction(async (tx) => {
    const row = await findPdf(tx, ctx, formKey);
    await writeAuditEntry(tx, ctx, { action: 'form.send', subject: row.id });
    return row;
  });
  await runOperation(ctx, sendOperation, { subject: subjectOf(id), input: { key: formKey.key, formId: id } });
  return readDelivery(ctx, formKey);
}

/** A practice that is not confirmed may have taken another's NPI, by which the server tells practices apart. */
const hasServer = async (tx: Tx, { providers, officeId }: OfficeCtx): Promise<boolean> =>
  providers.fhirServer.name !== 'off' && !(await isLimited(tx, officeId));

const subjectOf = (formId: string) => `fhir ${formId}`;

/** After a call that nobody answered in time, nobody knows until the server is asked again. */
function stateOf(operation: OperationRow | undefined): FormDelivery['state'] {
  if (!operation) return 'not-sent';
  return isUnclear(operation) ? 'unknown' : states[operation.state];
}

const isUnclear = (operation: OperationRow | undefined): boolean =>
  operation?.state === 'running' && operation.reason === unclear;

const states = { running: 'sending', done: 'sent', refused: 'refused', unknown: 'unknown' } as const;
