import { longestMessage } from '#contract/conversations/messages.ts';
import type { AnswerWay } from '#contract/conversations/shapes.ts';
import type { QuietChoice } from '#contract/queue.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { answerWaitsUntil, messageStatement, textBlockOf, textStatements } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { newPictureLink, withPictureLink } from './picture-link.ts';
import type { StoredPicture } from './pictures.ts';
import { answeredVisitor, handedOverStatement } from './visitors-sql.ts';

/**
 * Says in the conversation of a visitor who has left where the answer goes, in words for both sides: the visitor reads them too when they
 * are back. Whoever opens the page again reads no more of the number than its end.
 */
const notes = {
  texted: {
    en: (ending: string) => `Nobody was on the chat page, so answers go by text to the number ending in ${ending}.`,
    es: (ending: string) =>
      `No había nadie en la página del chat, así que las respuestas llegan por mensaje de texto al número que termina en ${ending}.`,
  },
  blocked: {
    en: (ending: string) =>
      `Nobody was on the chat page, and the number ending in ${ending} gets no texts from us. The answers are here.`,
    es: (ending: string) =>
      `No había nadie en la página del chat y el número que termina en ${ending} no recibe mensajes nuestros. Las respuestas están aquí.`,
  },
  notTexted: {
    en: (ending: string) =>
      `The answer above could not be sent by text to the number ending in ${ending}. It is here only.`,
    es: (ending: string) =>
      `La respuesta anterior no se pudo enviar por mensaje de texto al número que termina en ${ending}. Solo está aquí.`,
  },
} as const satisfies Record<string, Record<Language, (ending: string) => string>>;

/** In the conversation with the number: the picture itself is in the visitor's. */
const pictureInChat = { en: '(picture, in the website chat)', es: '(imagen, en el chat del sitio web)' } as const;

interface Answer {
  conversationId: string;
  body: string;
  picture: StoredPicture | null;
  quietHours: QuietChoice | undefined;
}

const nothing: Statements = { statements: [], hints: [] };

/** Refuses an answer to a visitor who is blocked, or who has left while the desk's screen still calls the answer a secure chat. */
export async function refuseUnseenWay(
  tx: Tx,
  { officeId, now }: OfficeCtx,
  { conversationId, way }: { conversationId: string; way: AnswerWay | undefined },
): Promise<void> {
  const visitor = await answeredVisitor(tx, officeId, conversationId, now());
  if (visitor?.blocked) throw new Refusal('visitor_blocked');
  if (way !== 'chat' || !visitor?.hasLeft || visitor.phone === null) return;
  if ((await textBlockOf(tx, officeId, visitor.phone)) === null) throw new Refusal('visitor_left');
}

/**
 * The statements by which an answer to a website's visitor also goes out as a text: to the number they proved, if they have left. It is a
 * message of the conversation with that number too, where the reply will arrive. The first such answer adds a note to the visitor's
 * conversation, and each that cannot be texted adds one that says so.
 */
export async function handOverStatements(tx: Tx, ctx: OfficeCtx, answer: Answer): Promise<Statements> {
  const { officeId } = ctx;
  const { conversationId } = answer;
  const visitor = await answeredVisitor(tx, officeId, conversationId, ctx.now());
  if (!visitor?.hasLeft || visitor.phone === null) return nothing;
  const { phone, language, handedOver } = visitor;
  const note = (which: keyof typeof notes) => {
    const body = notes[which][language](phone.slice(-2));
    return messageStatement(tx, ctx, { conversationId, visitId: null, sender: 'bot', kind: 'message', body });
  };
  const first = handedOver ? [] : [handedOverStatement(tx, officeId, conversationId, ctx.now())];
  const firstNote = (which: keyof typeof notes) => (handedOver ? [] : [note(which)]);
  if ((await textBlockOf(tx, officeId, phone)) !== null)
    return { statements: [], last: [note(handedOver ? 'notTexted' : 'blocked')], hints: [] };

  const texted = await answerText(tx, ctx, answer, { phone, language });
  if (texted === null) return { statements: [], last: [note('notTexted')], hints: [] };
  return {
    statements: [...texted.statements, ...first],
    last: [...(texted.last ?? []), ...firstNote('texted')],
    hints: texted.hints,
  };
}

/** The carrier takes no longer text. */
function withName(office: string, body: string): string {
  const named = `${office}: ${body}`;
  return named.length <= longestMessage ? named : body;
}

/** The text of the answer, and its message in the conversation with the number. Null if it cannot go out now, such as beyond a limit of texts. */
async function answerText(
  tx: Tx,
  ctx: OfficeCtx,
  { body, picture, quietHours }: Answer,
  { phone, language }: { phone: string; language: Language },
): Promise<Statements | null> {
  const { officeId } = ctx;
  const sendAt = await answerWaitsUntil(tx, ctx, phone, quietHours);
  const link = picture && newPictureLink(tx, ctx, picture, sendAt ?? ctx.now());
  const { name } = await officeRow(tx, officeId);
  const text = await textStatements(tx, ctx, {
    kind: 'message',
    visitId: null,
    patientId: null,
    toPhone: phone,
    body: link ? await withPictureLink(tx, ctx, language, body) : withName(name, body),
    ...(link && { link: link.url }),
    ...(sendAt && { sendAt }),
    isCustom: true,
  }).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (text === null || text.state === 'failed') return null;
  const fullBody = picture ? `${body} ${pictureInChat[language]}`.trim() : body;
  const message = {
    phone,
    visitId: null,
    sender: 'doctor',
    kind: 'message',
    body: fullBody,
    byName: ctx.actor.name,
    text,
  } as const;
  return {
    statements: [...text.statements, ...(link ? [link.statement] : [])],
    last: [...(text.last ?? []), messageStatement(tx, ctx, message)],
    hints: text.hints,
  };
}
