import { locales } from '#questionnaire/language/language.ts';
import type { Language } from '#contract/shapes.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Statements } from '#server/kit/db/statements.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { usPhone } from '#server/kit/phone.ts';
import { chatHoursOf, messageSettingsOf, officeRow, type OfficeRow } from '#server/office-row.ts';
import { openNow } from '#server/opening-hours.ts';
import { textBlockOf } from './blocked-numbers-sql.ts';
import { languageOfWriter, waitingAndTextedSince } from './closed-answer-sql.ts';
import { messageStatement } from './message-sql.ts';
import { textStatements } from './queue-text.ts';

/** One answer for a conversation and a closed time, which its key names. So a machine that answers ours gets no second one. */
const perClosedTime = { name: 'closed-answers', points: 1, seconds: 8 * 86_400 } as const satisfies Limit;

/** What arrives this soon after our own text is taken for the automatic answer of a machine. */
const machineAnswersWithinMs = 10_000;

type Way = 'number' | 'chat';

/** Tells a patient who writes while the practice is closed. */
const closedAnswer = {
  en: (office: string, opens: string | null, way: Way) =>
    `${office} is closed right now${opens === null ? '' : ` and opens again on ${opens}`}. This ${way} is not for emergencies: call 911.`,
  es: (office: string, opens: string | null, way: Way) =>
    `${office} está cerrado en este momento${opens === null ? '' : ` y vuelve a abrir el ${opens}`}. Este ${way === 'chat' ? way : 'número'} no es para emergencias: llame al 911.`,
} as const satisfies Record<Language, (office: string, opens: string | null, way: Way) => string>;

function momentOf(at: Date, language: Language, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  // A special space would make the whole text twice as expensive.
  return format.format(at).replace(/\s/gu, ' ');
}

const nothing: Statements = { statements: [], hints: [] };

/**
 * The statements of the automatic answer to a patient who wrote while the practice is closed. It goes out in quiet hours too: whoever writes
 * is awake. Nothing if the practice is open or wants no such answers, if the person had one in this closed time, or may not be texted.
 */
export async function closedAnswerStatements(
  tx: Tx,
  scope: OfficeScope,
  to: { phone: string } | { conversationId: string },
): Promise<Statements> {
  const { officeId } = scope;
  const office = await officeRow(tx, officeId);
  if (scope.env.demo || !messageSettingsOf(office).answersWhenClosed) return nothing;
  const hours = 'phone' in to ? office.queueSettings : chatHoursOf(office);
  const { isOpen, nextOpening } = openNow(hours, office.timeZone, scope.now());
  if (isOpen) return nothing;
  if ('phone' in to && !(await mayAnswer(tx, scope, office, to.phone))) return nothing;
  const who = 'phone' in to ? to.phone : to.conversationId;
  const closedTime = `${officeId} ${who} ${nextOpening?.toISOString() ?? ''}`;
  if ((await takeInTransaction(tx, scope.now(), [[perClosedTime, closedTime]])).length > 0) return nothing;

  const language = await languageOfWriter(tx, officeId, to);
  const opens = nextOpening && momentOf(nextOpening, language, office.timeZone);
  const body = closedAnswer[language](office.name, opens, 'phone' in to ? 'number' : 'chat');
  const message = { visitId: null, sender: 'bot', kind: 'message', body } as const;
  if ('conversationId' in to)
    return { statements: [], last: [messageStatement(tx, scope, { ...message, ...to })], hints: [] };
  const bySystem = { ...scope, actor: systemActor };
  const text = await textStatements(tx, bySystem, {
    kind: 'message',
    visitId: null,
    patientId: null,
    toPhone: to.phone,
    body,
  }).catch((error: unknown) => {
    // Beyond a limit of texts there is no answer; the message itself is taken all the same.
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (text === null) return nothing;
  return {
    statements: [],
    last: [...text.statements, messageStatement(tx, scope, { ...message, ...to, text })],
    hints: text.hints,
  };
}

/** Whether this number may get the answer: somebody waits at the other end who is not here already. */
async function mayAnswer(tx: Tx, scope: OfficeScope, office: OfficeRow, phone: string): Promise<boolean> {
  if (!usPhone(phone) || (await textBlockOf(tx, office.id, phone)) !== null) return false;
  const since = new Date(scope.now().getTime() - machineAnswersWithinMs);
  const today = dayOf(scope.now(), office.timeZone);
  const { stays, texted } = await waitingAndTextedSince(tx, { officeId: office.id, phone, today, since });
  return !stays && !texted;
}
