import { sql } from 'kysely';
import type { Actor, Services } from '#server/context.ts';
import { receiveVisitorMessage } from '#server/features/conversations/index.ts';
import { messageStatement } from '#server/features/texting/index.ts';
import { openChat } from '#server/features/website-chat/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { morningClock } from './morning-clock.ts';

/** Chats of visitors on Maple's website, the longest ago first: one has an answer, the others wait for it. The second visitor gave no name. */
const chats: {
  name: string;
  language: 'en' | 'es';
  messages: { minutesAgo: number; from: 'visitor' | 'practice'; body: string }[];
}[] = [
  {
    name: 'Priya Raman',
    language: 'en',
    messages: [
      { minutesAgo: 33, from: 'visitor', body: 'Hello, do you take new patients? My daughter is two.' },
      { minutesAgo: 30, from: 'practice', body: 'Yes, we do! Is she due for a checkup, or is something worrying you?' },
      { minutesAgo: 28, from: 'visitor', body: 'Just the checkup. Mornings are best for us.' },
      { minutesAgo: 26, from: 'practice', body: 'We have Wednesday at 9:30. Shall I hold it for you?' },
    ],
  },
  {
    name: '',
    language: 'en',
    messages: [{ minutesAgo: 9, from: 'visitor', body: 'Is there parking behind the building?' }],
  },
  {
    name: 'Carmen Ibarra',
    language: 'es',
    messages: [
      { minutesAgo: 5, from: 'visitor', body: 'Buenos días. ¿Qué necesito llevar para la vacuna de mi hijo?' },
      { minutesAgo: 4, from: 'visitor', body: 'Tiene cita mañana a las 10.' },
    ],
  },
];

/** Plays the website's chats through the real functions, with the clock set back. */
export async function addWebsiteChats(
  services: Services,
  { officeId, timeZone, desk }: { officeId: string; timeZone: string; desk: Actor },
): Promise<void> {
  const ago = morningClock(services.now(), timeZone, chats[0]?.messages[0]?.minutesAgo ?? 0);
  for (const { name, language, messages } of chats) {
    const scopeAt = (minutesAgo: number, actor: Actor) => {
      const at = ago(minutesAgo);
      return officeScope({ ...services, now: () => at, auditNow: services.now }, officeId, actor, 'demo');
    };
    const visitor: Actor = { kind: 'patient', id: null, name: null };
    const first = scopeAt(messages[0]?.minutesAgo ?? 0, visitor);
    const { conversationId } = await first.transaction((tx) => openChat(tx, first, { name, language }));
    for (const { minutesAgo, from, body } of messages) {
      if (from === 'visitor') {
        await receiveVisitorMessage(scopeAt(minutesAgo, visitor), { conversationId, body, clientId: services.id() });
        continue;
      }
      const scope = scopeAt(minutesAgo, desk);
      await scope.transaction((tx) => {
        const answer = {
          conversationId,
          visitId: null,
          sender: 'doctor',
          kind: 'message',
          byName: desk.name,
          body,
        } as const;
        return runTogether(tx, {
          statements: [],
          last: [messageStatement(tx, scope, answer), readStatement(tx, officeId, conversationId)],
          hints: [],
        });
      });
    }
  }
}

/** Whoever answered has read what came before. */
const readStatement = (tx: Tx, officeId: string, id: string) =>
  tx
    .updateTable('conversation')
    .set({ unread: 0, readSequence: sql<number>`last_sequence` })
    .where('officeId', '=', officeId)
    .where('id', '=', id);
