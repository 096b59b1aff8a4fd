import { formatPhone } from '#contract/phone-format.ts';
import type { QuietChoice } from '#contract/queue.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import {
  answerWaitsUntil,
  messageStatement,
  refuseProblem,
  textBlockOf,
  textStatements,
} from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Statements } from '#server/kit/db/statements.ts';
import { officeRow } from '#server/office-row.ts';
import { newPictureLink, withPictureLink } from './picture-link.ts';
import type { StoredPicture } from './pictures.ts';
import { leftVisitor, handedOverStatement } from './visitors-sql.ts';

/** Says in the conversation of a visitor who has left where the answer goes. */
const notes = {
  texted: {
    en: (phone: string) => `The visitor has left, so answers go to ${phone} by text.`,
    es: (phone: string) => `El visitante se fue, así que las respuestas llegan por mensaje de texto al ${phone}.`,
  },
  blocked: {
    en: (phone: string) =>
      `The visitor has left, and ${phone} gets no texts from us. They see answers here when they are back.`,
    es: (phone: string) =>
      `El visitante se fue y el ${phone} no recibe mensajes nuestros. Verá las respuestas aquí cuando vuelva.`,
  },
} as const satisfies Record<string, Record<Language, (phone: string) => string>>;

/** In the conversation with the number: the picture itself is in the visitor's. */
const pictureInChat = { en: '(picture, in the website chat)', es: '(imagen, en el chat del sitio web)' } as const;

interface Answer {
  conversationId: string;
  body: string;
  picture: StoredPicture | null;
  quietHours: QuietChoice | undefined;
}

const nothing: Statements = { statements: [], hints: [] };

/**
 * The statements by which an answer to a website's visitor also goes out as a text: to the number they proved, if they have left. It is a
 * message of the conversation with that number too, where the reply will arrive. The first such answer adds a note to the visitor's
 * conversation.
 */
export async function handOverStatements(tx: Tx, ctx: OfficeCtx, answer: Answer): Promise<Statements> {
  const { officeId } = ctx;
  const { conversationId, body, picture } = answer;
  const visitor = await leftVisitor(tx, officeId, conversationId, ctx.now());
  if (!visitor) return nothing;
  const { phone, language } = visitor;
  const isBlocked = (await textBlockOf(tx, officeId, phone)) !== null;
  const note = notes[isBlocked ? 'blocked' : 'texted'][language](formatPhone(phone));
  const noted: Statements = {
    statements: visitor.handedOver ? [] : [handedOverStatement(tx, officeId, conversationId, ctx.now())],
    last: visitor.handedOver
      ? []
      : [messageStatement(tx, ctx, { conversationId, visitId: null, sender: 'bot', kind: 'message', body: note })],
    hints: [],
  };
  if (isBlocked) return noted;

  const sendAt = await answerWaitsUntil(tx, ctx, phone, answer.quietHours);
  const link = picture && newPictureLink(tx, ctx, picture, sendAt ?? ctx.now());
  const { name } = await officeRow(tx, officeId);
  const text = await textStatements(tx, ctx, {
    kind: 'message',
    visitId: null,
    patientId: null,
    toPhone: phone,
    body: link ? await withPictureLink(tx, ctx, language, body) : `${name}: ${body}`,
    ...(link && { link: link.url }),
    ...(sendAt && { sendAt }),
    ownWords: true,
  });
  refuseProblem(text.problem);
  const words = picture ? `${body} ${pictureInChat[language]}`.trim() : body;
  const message = {
    phone,
    visitId: null,
    sender: 'doctor',
    kind: 'message',
    body: words,
    byName: ctx.actor.name,
    text,
  } as const;
  return {
    statements: [...text.statements, ...noted.statements, ...(link ? [link.statement] : [])],
    last: [...(text.last ?? []), messageStatement(tx, ctx, message), ...(noted.last ?? [])],
    hints: text.hints,
  };
}
