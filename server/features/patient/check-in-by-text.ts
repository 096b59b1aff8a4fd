import { isAmbulatory } from '#contract/panel-mode.ts';
import { isHistory } from '#contract/queue.ts';
import type { Language } from '#contract/shapes.ts';
import { keywordOf, linkTextLimits } from '#contract/texting.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { arriveByText, linkTextStatements, lockVisit } from '#server/features/queue/index.ts';
import {
  isSpanishKeyword,
  languageOfPatient,
  messageStatement,
  ordinaryMessage,
  textBlockOf,
  textStatements,
  type TakeHere,
} from '#server/features/texting/index.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Statements } from '#server/kit/db/statements.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { usPhone } from '#server/kit/phone.ts';
import { checkInPage, officeRow, type OfficeRow } from '#server/office-row.ts';
import { openNow } from '#server/opening-hours.ts';
import { membersOf, newestMessageOf, rollBackToAnswerSavepoint, setAnswerSavepoint } from './sql.ts';

/** One answer for a visit; without a visit, one a day. */
const hereAnswers = { name: 'here-answers', points: 1, seconds: 86_400 } as const satisfies Limit;

/** Answers HERE of a number that nobody expects today. */
const pageAnswer = {
  en: (office: string, page: string) => `${office}: to check in, please open this page: ${page}`,
  es: (office: string, page: string) => `${office}: para registrarse, abra este enlace: ${page}`,
} as const satisfies Record<Language, (office: string, page: string) => string>;

/**
 * A patient texts HERE. Today's expected visit arrives, and the answer links to its page. A visit that waits already stays as it is. A number
 * without a visit gets the address of the check-in page, and the desk reads the text like any other; so it does while the practice is closed,
 * after the patient was called in, in the ambulatory mode, where nobody checks in, and if the word answers a question that the desk wrote today.
 */
export const checkInByText: TakeHere = async (tx, scope, { phone, body, visit }) => {
  const { officeId } = scope;
  const office = await officeRow(tx, officeId);
  const today = dayOf(scope.now(), office.timeZone);
  const { isOpen } = openNow(office.queueSettings, office.timeZone, scope.now());
  if (await answersQuestion(tx, office, { phone, today })) return ordinaryMessage;
  if (!isOpen || office.agreementSignedAt === null || isAmbulatory(office.settings)) return ordinaryMessage;

  const typedIn = isSpanishKeyword(body) ? 'es' : null;
  const running = visit?.day === today && !isHistory(visit.status) ? visit : undefined;
  if (!running) {
    const language = typedIn ?? (await languageOfPatient(tx, officeId, phone)) ?? 'en';
    const pageText = pageAnswer[language](office.name, checkInPage(office, scope.env.publicUrl));
    const answer = await answerOnce(tx, scope, { phone, of: today }, () => pageTo(tx, scope, office, phone, pageText));
    return { keyword: null, answer };
  }
  if (running.status !== 'EXPECTED' && running.status !== 'WAITING') return ordinaryMessage;
  const language = running.status === 'EXPECTED' ? (typedIn ?? running.language) : running.language;
  // Before the arrival: every other transaction takes its limits of texts before it changes the queue, and would deadlock with this one.
  const answer = await answerOnce(tx, scope, { phone, of: running.id }, () => linkTo(tx, scope, running.id, language));
  if (running.status === 'EXPECTED') await arriveByText(tx, scope, running.id, language);
  return { keyword: 'here', answer };
};

/** A question mark at the end of a word, perhaps before other signs; not one within an address. */
const question = /\?[\p{P}\p{S}]*(\s|$)/u;

/**
 * Whether the newest message between the practice and this number is a question that somebody at the desk wrote to it today, unless it asks for
 * the word itself. A question that the patient answered already, or one to a whole list, does not count.
 */
async function answersQuestion(
  tx: Tx,
  { id, timeZone }: OfficeRow,
  { phone, today }: { phone: string; today: string },
): Promise<boolean> {
  const newest = await newestMessageOf(tx, id, phone);
  if (newest?.sender !== 'doctor' || newest.kind !== 'message' || dayOf(newest.at, timeZone) !== today) return false;
  if (!question.test(newest.body)) return false;
  return !newest.body.split(/[^\p{L}]+/u).some((word) => word === word.toUpperCase() && keywordOf(word) === 'here');
}

/**
 * The statements of an answer; null for a number that had it or gets no texts, and beyond the limits of texts: the check-in counts all the same.
 * An answer that a limit refuses returns what it took from every limit, so that a later HERE may be answered and costs the practice nothing.
 */
async function answerOnce(
  tx: Tx,
  scope: OfficeScope,
  { phone, of }: { phone: string; of: string },
  statementsOf: () => Promise<Statements>,
): Promise<Statements | null> {
  if (!usPhone(phone) || (await textBlockOf(tx, scope.officeId, phone)) !== null) return null;
  await setAnswerSavepoint(tx);
  const isAnswered =
    (await takeInTransaction(tx, scope.now(), [[hereAnswers, `${scope.officeId} ${phone} ${of}`]])).length > 0;
  if (isAnswered) return null;
  return statementsOf().catch(async (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    await rollBackToAnswerSavepoint(tx);
    return null;
  });
}

/** The program answers, not the patient: such texts have the limits of the practice's own. */
const bySystem = (scope: OfficeScope): OfficeScope => ({ ...scope, actor: systemActor });

const byStranger = (scope: OfficeScope): OfficeScope => ({
  ...scope,
  actor: { kind: 'patient', id: null, name: null },
});

/**
 * Anybody can text HERE to a practice, so the answer to a number that nobody expects has the limits of links that strangers request and takes
 * nothing from the practice's own texts; of the practice's links it may take a share only. A practice that is not confirmed answers only
 * numbers it knows, as with all its texts.
 */
async function pageTo(tx: Tx, scope: OfficeScope, office: OfficeRow, phone: string, body: string): Promise<Statements> {
  if (office.confirmedAt === null) return textOf(tx, bySystem(scope), phone, body);
  const { perNumber, perOfficeToStrangers } = linkTextLimits;
  const [usedUp] = await takeInTransaction(tx, scope.now(), [
    [perNumber, phone],
    [perOfficeToStrangers, office.id],
  ]);
  if (usedUp) throw new Refusal('too_many_link_texts', undefined, usedUp.seconds);
  return textOf(tx, byStranger(scope), phone, body);
}

async function linkTo(tx: Tx, scope: OfficeScope, visitId: string, language: Language): Promise<Statements> {
  const visit = await lockVisit(tx, scope.officeId, visitId);
  if (!visit) throw new Error('the visit of a check-in is missing');
  const isNamed = (await membersOf(tx, scope.officeId, visitId)).length > 0;
  const arrived = { ...visit, language, status: 'WAITING' } as const;
  return linkTextStatements(tx, bySystem(scope), arrived, isNamed ? 'hereAgain' : 'here');
}

async function textOf(tx: Tx, scope: OfficeScope, phone: string, body: string): Promise<Statements> {
  const text = await textStatements(tx, scope, {
    kind: 'message',
    visitId: null,
    patientId: null,
    toPhone: phone,
    body,
  });
  const message = { phone, visitId: null, sender: 'bot', kind: 'message', body, text } as const;
  return { statements: [], last: [...text.statements, messageStatement(tx, scope, message)], hints: text.hints };
}
