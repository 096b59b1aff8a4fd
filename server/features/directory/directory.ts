import {
  formsShown,
  patientsPerPage,
  visitsShown,
  type DirectoryPatient,
  type PatientFile,
} from '#contract/directory.ts';
import type { OfficeCtx } from '#server/context.ts';
import { formsOfPatient } from '#server/features/forms/index.ts';
import { anyLinkLabel } from '#server/features/queue/index.ts';
import { fillLink, textBlockOf } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import {
  conversationWith,
  findPatient,
  familyOf,
  patientPage,
  toDirectoryPatient,
  visitsOfPatient,
  type PatientRow,
} from './sql.ts';
import { directorySearchWords } from './search.ts';

/** One page of the directory, all of it or what a search finds. */
export async function searchPatients(
  ctx: OfficeCtx,
  { search = '', cursor }: { search?: string | undefined; cursor?: string | undefined },
  conditional: ConditionalRequest,
): Promise<VersionedReply<{ patients: DirectoryPatient[]; next: string | null }>> {
  const words = directorySearchWords(search, ctx.now());
  return ctx.transaction(async (tx) => {
    const rows = await patientPage(tx, ctx.officeId, { words, after: cursor ? readCursor(cursor) : null });
    const shown = rows.slice(0, patientsPerPage);
    const body = {
      patients: shown.map(toDirectoryPatient),
      next: rows.length > patientsPerPage ? cursorOf(shown.at(-1) as PatientRow) : null,
    };
    const details = { search: words.length > 0 };
    return versionedReply(body, conditional, {
      onSend: () => writeAuditEntry(tx, ctx, { action: 'patient.list', details }),
    });
  });
}

const cursorOf = ({ id, sortName }: PatientRow) => Buffer.from(`${id} ${sortName}`).toString('base64url');

function readCursor(cursor: string): { id: string; sortName: string } {
  const [, id, sortName] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([^\0]+)$/su.exec(Buffer.from(cursor, 'base64url').toString()) ??
    [];
  if (id === undefined || sortName === undefined) throw new Refusal('invalid_input');
  return { id, sortName };
}

/** A patient with family, visits, forms and the conversation. */
export async function readPatient(
  ctx: OfficeCtx,
  patientId: string,
  conditional: ConditionalRequest,
): Promise<VersionedReply<PatientFile>> {
  return ctx.transaction(async (tx) => {
    const row = await findPatient(tx, ctx.officeId, patientId);
    if (!row) throw new Refusal('patient_not_found');
    const [family, visits, forms, conversation, textBlock] = await Promise.all([
      familyOf(tx, ctx.officeId, patientId),
      visitsOfPatient(tx, ctx.officeId, patientId),
      formsOfPatient(tx, ctx, patientId, formsShown + 1),
      conversationWith(tx, ctx.officeId, row.phone),
      textBlockOf(tx, ctx.officeId, row.phone),
    ]);
    const body = {
      patient: toDirectoryPatient(row),
      family,
      visits: visits.slice(0, visitsShown),
      moreVisits: visits.length > visitsShown,
      forms: forms.slice(0, formsShown),
      moreForms: forms.length > formsShown,
      conversation: conversation
        ? {
            id: conversation.id,
            messages: conversation.lastSequence,
            unread: conversation.unread,
            lastBody:
              conversation.lastSender === 'patient'
                ? conversation.lastBody
                : fillLink(conversation.lastBody, anyLinkLabel[ctx.language]),
            lastSent: conversation.lastAt.toISOString(),
          }
        : null,
      textBlock,
    };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'patient.read', subject: patientId });
    return versionedReply(body, conditional, { onSend });
  });
}
