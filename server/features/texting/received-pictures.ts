import type { OperationNodeSource } from 'kysely';
import type { MessageContent } from '#contract/conversations/shapes.ts';
import type { MissingPicture, PictureProblem } from '#contract/queue.ts';
import type { TextReply } from '#contract/texting.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Statements } from '#server/kit/db/statements.ts';
import { messageStatement, type NewMessage } from './message-sql.ts';
import { incomingPictureStatement } from './received-pictures-sql.ts';

type Media = NonNullable<TextReply['media']>;
/** A patient's message, for the conversation with their number. */
type ReceivedMessage = Extract<NewMessage, { phone: string }> & { id: string };

/**
 * The statements of a text that came in: its message, and one more for each further file. The first file belongs to the message with the words,
 * which describe it. The pictures are fetched after the commit, because the carrier waits for our answer.
 */
export function receivedStatements(
  tx: Tx,
  scope: OfficeScope,
  message: ReceivedMessage,
  media: Media,
): Pick<Required<Statements>, 'last' | 'hints'> {
  const [first, ...more] = media;
  const further = {
    phone: message.phone,
    visitId: message.visitId,
    sender: 'patient',
    kind: 'message',
    body: '',
  } as const;
  const last = [
    ...fileStatements(tx, scope, message, first),
    ...more.flatMap((file) => fileStatements(tx, scope, { ...further, id: scope.id() }, file)),
  ];
  return { last, hints: media.some(isPicture) ? [{ type: 'picture' }] : [] };
}

function fileStatements(
  tx: Tx,
  scope: OfficeScope,
  message: ReceivedMessage,
  file: Media[number] | undefined,
): OperationNodeSource[] {
  if (!file) return [messageStatement(tx, scope, message)];
  const missingPicture: MissingPicture = isPicture(file) ? 'fetching' : 'not-a-picture';
  const placed = messageStatement(tx, scope, { ...message, missingPicture });
  return isPicture(file) ? [placed, incomingPictureStatement(tx, scope, message.id, file.source)] : [placed];
}

/** Why a message does not show its picture; null if it does, or has none. */
export function missingPictureOf(message: {
  content: MessageContent;
  fileId: string | null;
  pictureProblem: PictureProblem | null;
}): MissingPicture | null {
  if (message.content !== 'image' || message.fileId !== null) return null;
  return message.pictureProblem ?? 'fetching';
}

const isPicture = ({ type }: Media[number]) => /^image\//i.test(type);
