import type { Language } from '#contract/shapes.ts';
import { keywordOf, textsFromNumber, type Keyword, type TextReply, type TextReport } from '#contract/texting.ts';
import type { Services, OfficeScope } from '#server/context.ts';
import { messagePushStatement } from '#server/features/push/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { dayOf } from '#server/kit/day.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { takeInTransaction } from '#server/kit/http/rate-limits.ts';
import { northAmericanPhone, senderOf, usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow, type OfficeRow } from '#server/office-row.ts';
import { withoutOwnLinks } from './link-in-text.ts';
import { keywordAnswers } from './text-limits.ts';
import { applyCarrierReport, announceTextChange } from './text-outcomes.ts';
import { textOfReference } from './text-reference.ts';
import { officeOfNumber, textOfProvider } from './carrier-sql.ts';
import { hasReply, messageStatement } from './message-sql.ts';
import { failUnsentTexts } from './ledger-sql.ts';
import { noteTextOutcomes, visitOfPhone, type VisitOfNumber } from './sql.ts';
import { addOptOut, hasOptedOut, removeOptOut } from './opt-out-sql.ts';
import { forgetLandline } from './landline-sql.ts';
import { languageOfPatient } from './patient-language-sql.ts';
import { textStatements } from './queue-text.ts';
import { closedAnswerStatements } from './closed-answer.ts';
import { answerLanguage, keywordAnswer } from './keyword-answers.ts';
import { receivedStatements } from './received-pictures.ts';

/**
 * Applies a carrier's delivery report. A repeated, outdated or foreign report changes nothing. Our reference names the office; one that
 * names no text is of a sign-in code. Only a report without any is searched for among all offices' texts.
 */
export async function receiveReport(services: Services, report: TextReport): Promise<void> {
  const { reference, providerId } = report;
  const text = reference ? textOfReference(reference) : await textOfProvider(services.pool, providerId);
  if (text) await applyCarrierReport(services, text, report);
}

/**
 * Takes a patient's text to the office's number, once. Keywords (STOP, START, HELP, HERE) act; the text joins its number's conversation.
 * `takeHere` decides what HERE does; without it, the word is an ordinary message.
 */
export async function receiveReply(
  services: Services,
  reply: TextReply,
  requestId: string,
  takeHere: TakeHere = async () => ordinaryMessage,
): Promise<void> {
  const phone = senderOf(reply.from);
  if (!phone) throw new Refusal('invalid_phone');
  const officeId = await officeOfNumber(services.pool, northAmericanPhone(reply.to) ?? '');
  if (!officeId) throw new Refusal('office_not_found');

  const scope = officeScope(services, officeId, { kind: 'patient', id: null, name: null }, requestId);
  await scope
    .transaction(async (tx) => {
      const office = await officeRow(tx, officeId);
      const { media = [] } = reply;
      const typedKeyword = keywordOf(reply.body);
      const today = dayOf(scope.now(), office.timeZone);
      const visit = await visitOfPhone(tx, officeId, phone, today, { mayMove: typedKeyword === 'here' });
      const { providerId } = reply;
      if (await hasReply(tx, officeId, providerId)) return;
      const isFlood =
        (await takeInTransaction(tx, scope.now(), [[textsFromNumber, `${officeId} ${phone}`]])).length > 0;
      const wasLandline = await forgetLandline(tx, officeId, phone);
      const { keyword, answer: hereAnswer } =
        typedKeyword === 'here' && !isFlood
          ? await takeHere(tx, scope, { phone, visit, body: reply.body })
          : { keyword: await actingKeyword(tx, officeId, phone, typedKeyword), answer: null };
      const body = withoutOwnLinks(reply.body);
      const id = scope.id();

      const changed: string[] = [];
      const { failedTexts, isNew } = keyword === 'stop' ? await optOut(tx, scope, phone) : notOptedOut;
      changed.push(...failedTexts.flatMap(({ visitId }) => visitId ?? []));
      // The card shows that the number opted out, and that it no longer does.
      if (visit && (keyword === 'stop' || keyword === 'start' || wasLandline)) changed.push(visit.id);
      if (keyword === 'start') await removeOptOut(tx, officeId, phone);
      const answered = { phone, body: reply.body, keyword, isNewOptOut: isNew, visitLanguage: visit?.language };
      const answer = hereAnswer ?? (await answerTo(tx, scope, office, answered));
      // A visit does not show a text without words and pictures; the inbox does.
      const visitId = body.trim() === '' && media.length === 0 ? null : (visit?.id ?? null);
      if (visitId !== null && !isFlood) changed.push(visitId);
      await writeAuditEntry(tx, scope, {
        action: keyword ? `text.${keyword}` : 'message.receive',
        subject: visit?.id ?? id,
      });
      await announceTextChange(tx, officeId, changed);
      const filedAs = filedKeyword(keyword, media);
      const message = {
        id,
        phone,
        visitId,
        sender: 'patient',
        kind: 'message',
        body,
        providerId,
        keyword: filedAs,
      } as const;
      await runTogether(
        tx,
        filedAs === null && !isFlood ? pushStatements(tx, scope) : nothing,
        { statements: [], ...receivedStatements(tx, scope, message, media) },
        { statements: [], hints: isFlood ? [] : [{ office: officeId, type: 'messages' }] },
        answer,
      );
      await noteTextOutcomes(
        tx,
        officeId,
        failedTexts.map((text) => text.id),
        true,
      );
    })
    .catch(ignoreSecondCopy);
}

/** HERE leaves nothing to read, but a picture that came with it does. */
const filedKeyword = <K extends string>(keyword: K | null, media: readonly unknown[]): K | null =>
  keyword === 'here' && media.length > 0 ? null : keyword;

/** What HERE did: the keyword if it acted, and the text that answers it. */
interface HereResult {
  keyword: 'here' | null;
  answer: Statements | null;
}

/** A message like any other: the desk reads it. */
export const ordinaryMessage: HereResult = { keyword: null, answer: null };

/** Checks in whoever texts HERE. The caller passes it, because visits are built on texts and not the other way round. */
export type TakeHere = (
  tx: Tx,
  scope: OfficeScope,
  text: { phone: string; body: string; visit: VisitOfNumber | undefined },
) => Promise<HereResult>;

/** The keyword as far as it acts. "Yes" opts in only a number that opted out; from any other it answers a question of the office. */
async function actingKeyword(tx: Tx, officeId: string, phone: string, typed: Keyword | null): Promise<Keyword | null> {
  if (typed === 'here') return null;
  return typed === 'start' && !(await hasOptedOut(tx, officeId, phone)) ? null : typed;
}

/** Of several copies that arrive at the same moment, the first to commit is saved; the others find its row and undo what they did. */
function ignoreSecondCopy(error: unknown): void {
  if (!isViolationOf(error, 'message_provider')) throw error;
}

const nothing: Statements = { statements: [], hints: [] };

/** A push to the practice's browsers. Keywords cause none: nobody has to act on them. */
const pushStatements = (tx: Tx, { officeId, now }: OfficeScope): Statements => ({
  statements: [],
  last: [messagePushStatement(tx, officeId, now())],
  hints: [{ type: 'push' }],
});

interface AnsweredText {
  phone: string;
  body: string;
  keyword: Keyword | null;
  isNewOptOut: boolean;
  visitLanguage: Language | undefined;
}

/** What answers a text: the words of its keyword, or the automatic answer of a closed practice. */
async function answerTo(
  tx: Tx,
  scope: OfficeScope,
  office: Pick<OfficeRow, 'name'>,
  { phone, body, keyword, isNewOptOut, visitLanguage }: AnsweredText,
): Promise<Statements> {
  if (keyword === null) return closedAnswerStatements(tx, scope, { phone });
  if (keyword === 'here') return nothing;
  // A second STOP gets no second confirmation, nor does a keyword that the carrier itself confirms: after STOP it would refuse ours.
  const isConfirmed = (keyword === 'start' || isNewOptOut) && scope.providers.sms.confirmsKeyword?.(body) !== true;
  const patientLanguage = await languageOfPatient(tx, scope.officeId, phone);
  const answer = keywordAnswer(keyword, isConfirmed, answerLanguage(body, { visitLanguage, patientLanguage }));
  return answer ? answerStatements(tx, scope, phone, answer(office.name)) : nothing;
}

/** The text and the message that answer a keyword; nothing if this number wrote them too often. */
async function answerStatements(tx: Tx, scope: OfficeScope, phone: string, body: string): Promise<Statements> {
  const isAllowed =
    usPhone(phone) &&
    (await takeInTransaction(tx, scope.now(), [[keywordAnswers, `${scope.officeId} ${phone}`]])).length === 0;
  if (!isAllowed) return nothing;
  const text = await textStatements(tx, scope, {
    kind: 'notice',
    visitId: null,
    patientId: null,
    toPhone: phone,
    body,
  });
  const message = { phone, visitId: null, sender: 'bot', kind: 'message', body, text } as const;
  return { statements: [], last: [...text.statements, messageStatement(tx, scope, message)], hints: text.hints };
}

interface OptOut {
  failedTexts: Awaited<ReturnType<typeof failUnsentTexts>>;
  /** False if the number had opted out before. */
  isNew: boolean;
}
const notOptedOut: OptOut = { failedTexts: [], isNew: false };

/** Opts a number out: its queued texts fail and none is sent again. */
async function optOut(tx: Tx, scope: OfficeScope, phone: string): Promise<OptOut> {
  const isNew = await addOptOut(tx, scope, phone);
  return { failedTexts: await failUnsentTexts(tx, scope.officeId, phone, 'opted-out'), isNew };
}
