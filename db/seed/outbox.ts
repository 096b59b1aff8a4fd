import type { TextProblem, TextState } from '#contract/queue.ts';
import type { Actor, Services } from '#server/context.ts';
import { expectPatient } from '#server/features/queue/index.ts';
import { queueText } from '#server/features/texting/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';

interface DemoText {
  phone: string;
  body: string;
  /** Minutes until it goes out; negative for one of the past. */
  minutes: number;
  state: TextState;
  problem?: TextProblem;
}

const reminder = 'Cedar Dental Group: we look forward to seeing you tomorrow. Reply here if you have questions.';

/** A text in each state that the outbox shows. */
const texts: DemoText[] = [
  { phone: '+17205550141', body: reminder, minutes: 24 * 60, state: 'queued' },
  { phone: '+17205550142', body: reminder, minutes: 3 * 60, state: 'queued' },
  { phone: '+17205550143', body: reminder, minutes: -38, state: 'delivered' },
  { phone: '+17205550144', body: reminder, minutes: -39, state: 'sent' },
  { phone: '+17205550145', body: reminder, minutes: -39, state: 'failed', problem: 'delivery' },
  { phone: '+17205550146', body: reminder, minutes: -40, state: 'failed', problem: 'opted-out' },
  { phone: '+17205550147', body: reminder, minutes: -41, state: 'unknown' },
  { phone: '+17205550148', body: reminder, minutes: -70, state: 'held' },
];
/** Patients who were texted the check-in link and have not arrived. */
const expected = ['+17205550151', '+17205550152'];

/** Fills the outbox of the demo's office in sms mode, and its list of expected patients. */
export async function fillOutbox(services: Services, officeId: string, desk: Actor): Promise<void> {
  const scope = officeScope(services, officeId, desk, 'demo');
  const now = scope.now().getTime();
  for (const { phone, body, minutes, state, problem } of texts) {
    const sendAt = new Date(now + minutes * 60_000);
    await scope.transaction(async (tx) => {
      const id = await queueText(tx, scope, {
        kind: 'message',
        visitId: null,
        patientId: null,
        toPhone: phone,
        body,
        sendAt,
      });
      const wasSent = state === 'sent' || state === 'delivered';
      await tx
        .updateTable('text')
        .set({
          state,
          sendBy: desk.name ?? '',
          errorClass: problem ?? null,
          sentAt: wasSent ? sendAt : null,
          deliveredAt: state === 'delivered' ? sendAt : null,
        })
        .where('officeId', '=', officeId)
        .where('id', '=', id)
        .execute();
    });
  }
  for (const phone of expected)
    await scope.transaction(async (tx) => {
      await expectPatient(tx, scope, phone);
    });
}
