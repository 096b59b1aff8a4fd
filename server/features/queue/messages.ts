import { allMissingForms, type QuietChoice, type VisitMessage } from '#contract/queue.ts';
import type { OfficeScope } from '#server/context.ts';
import {
  answerWaitsUntil,
  linkPlaceholder,
  messageStatement,
  textStatements,
  waitingUntil,
} from '#server/features/texting/index.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { visitChangeStatements } from './after-change.ts';
import { newLinkStatements } from './visit-links.ts';
import { lockVisit, visitForMessage, visitOfPatient, type VisitRow } from './sql.ts';
import { sentenceThatFits, textTemplates } from './text-templates.ts';

/** Texts an office's message to the patient and shows it on the visit's page. */
export async function messagePatient(
  scope: OfficeScope,
  userCode: string,
  message: {
    title?: string | undefined;
    body: string;
    visitId?: string | undefined;
    quietHours?: QuietChoice | undefined;
  },
): Promise<VisitMessage> {
  const body = message.body.trim();
  if (body === '') throw new Refusal('empty_message');
  return scope.transaction(async (tx) => {
    const of = { officeId: scope.officeId, userCode };
    const visitId =
      message.visitId === undefined
        ? await visitForMessage(tx, {
            ...of,
            today: dayOf(scope.now(), (await officeRow(tx, scope.officeId)).timeZone),
          })
        : await visitOfPatient(tx, { ...of, visitId: message.visitId });
    const visit = visitId && (await lockVisit(tx, scope.officeId, visitId));
    if (!visit) throw new Refusal('visit_not_found');

    const sent = await messageStatements(tx, scope, visit, {
      kind: 'message',
      body,
      title: message.title ?? null,
      isCustom: true,
      sendAt: await answerWaitsUntil(tx, scope, visit.phone, message.quietHours),
    });
    await runTogether(tx, sent, visitChangeStatements(tx, scope, visit, { action: 'message.send', hint: 'message' }));
    return sent.message;
  });
}

/** The columns of a visit that a text about it needs. */
export type TextedVisit = Pick<VisitRow, 'id' | 'patientId' | 'day' | 'status' | 'phone' | 'language'>;

/** The statements of a built-in text with a new link, in the patient's language. */
export async function linkTextStatements(
  tx: Tx,
  scope: OfficeScope,
  visit: TextedVisit,
  sentence: keyof typeof textTemplates,
  {
    customText,
    askedForm = null,
    heldAtLimit = false,
    detail = '',
  }: { customText?: string | undefined; askedForm?: string | null; heldAtLimit?: boolean; detail?: string } = {},
): Promise<Statements & { message: VisitMessage }> {
  const [office, link] = await Promise.all([
    officeRow(tx, scope.officeId),
    newLinkStatements(tx, scope, visit, { proved: true, askedForm: askedForm === allMissingForms ? null : askedForm }),
  ]);
  const { language } = visit;
  const fitting = sentenceThatFits(sentence, { language, office: office.name, url: link.url });
  const body = customText
    ? `${customText} ${linkPlaceholder}`
    : textTemplates[fitting][language](office.name, linkPlaceholder, detail);
  const { statements, last, hints, message } = await messageStatements(tx, scope, visit, {
    kind: kindOf(sentence),
    body,
    link: link.url,
    title: null,
    askedForm,
    isCustom: customText !== undefined,
    heldAtLimit,
  });
  return { statements: [...link.statements, ...statements], last, hints, message };
}

function kindOf(sentence: keyof typeof textTemplates): VisitMessage['kind'] {
  if (sentence === 'invite' || sentence === 'reinvite') return sentence;
  return sentence === 'payment' || sentence === 'balance' ? 'payment' : 'link';
}

/** The statements of one message of the office: a row in the conversation and the text that carries it. */
export async function messageStatements(
  tx: Tx,
  scope: OfficeScope,
  visit: TextedVisit,
  {
    kind,
    body,
    link,
    title,
    askedForm = null,
    isCustom = false,
    heldAtLimit = false,
    sendAt = null,
  }: Pick<VisitMessage, 'kind' | 'body'> & {
    link?: string;
    title: string | null;
    askedForm?: string | null;
    isCustom?: boolean;
    heldAtLimit?: boolean;
    /** When the text goes out, if not now. */
    sendAt?: Date | null;
  },
): Promise<Required<Statements> & { message: VisitMessage }> {
  const text = await textStatements(tx, scope, {
    kind,
    visitId: visit.id,
    patientId: visit.patientId,
    toPhone: visit.phone,
    body,
    ...(link !== undefined && { link }),
    ...(sendAt && { sendAt }),
    isCustom,
    heldAtLimit,
  });
  const at = scope.now();
  const id = scope.id();
  const byName = kind === 'message' ? scope.actor.name : null;
  const statement = messageStatement(tx, scope, {
    id,
    phone: visit.phone,
    visitId: visit.id,
    sender: kind === 'message' || isCustom ? 'doctor' : 'bot',
    kind,
    byName,
    title,
    body,
    text,
    askedForm,
  });
  return {
    statements: text.statements,
    last: [statement],
    hints: text.hints,
    message: {
      id,
      at: at.toISOString(),
      from: 'office',
      by: byName,
      kind,
      body,
      textId: text.id,
      state: text.state,
      problem: text.problem,
      limitedUntil: text.limitedUntil?.toISOString() ?? null,
      sendAt: waitingUntil({ state: text.state, sendAt }, at),
      picture: null,
      missingPicture: null,
      askedForm,
    },
  };
}
