/**
 * Sample patients: the desk practices with them before the first real one comes. They live in this tab's memory only, so they can be in no
 * report, no count and no text. Nothing here calls the server.
 */
import { mayMove, moves, type EndReason, type Move, type QueueEntry, type VisitStatus } from '#contract/queue.ts';
import { serverNow } from '#web/kit/clock.ts';
import { samplesOfTab, type SampleMessage, type SamplePatient } from './sample-store.ts';

/** How long a sample patient takes to answer. */
export const answerMs = 3_000;
export const formsOfSample = 4;

let timers: ReturnType<typeof setTimeout>[] = [];

export const sampleQueue = {
  start(officeId: string, npi: string): void {
    const patients = samples.map((sample, i) => samplePatient(sample, i, npi));
    samplesOfTab.set({ officeId, patients, selectedId: patients[0]?.visit.id });
  },
  /** Removes all of them. */
  clear(): void {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    samplesOfTab.set(null);
  },
  select(selectedId: string | undefined): void {
    const now = samplesOfTab.get();
    if (now) samplesOfTab.set({ ...now, selectedId });
  },
  move(id: string, move: Move, reason?: EndReason): void {
    const visit = patientOf(id)?.visit;
    if (!visit || !mayMove(visit, move)) return;
    change(id, (patient) => movePatient(patient, move, reason));
    if (move === 'invite') answerAsPatient(id, 'on-my-way', 'onMyWay');
  },
  write(id: string, body: string): void {
    change(id, (patient) => withMessage(patient, { from: 'office', kind: 'message', body }));
    answerAsPatient(id, 'thanks');
  },
  requestForms(id: string): void {
    change(id, (patient) => withMessage(patient, { from: 'office', kind: 'forms' }));
    later(() => change(id, (patient) => ({ ...patient, missingForms: 0 })));
  },
};

const patientOf = (id: string) => samplesOfTab.get()?.patients.find(({ visit }) => visit.id === id);

function change(id: string, how: (patient: SamplePatient) => SamplePatient): void {
  const now = samplesOfTab.get();
  if (!now) return;
  samplesOfTab.set({ ...now, patients: now.patients.map((one) => (one.visit.id === id ? how(one) : one)) });
}

function later(run: () => void): void {
  timers.push(setTimeout(run, answerMs));
}

/** What the patient's phone would do. */
function answerAsPatient(id: string, kind: SampleMessage['kind'], move?: Move): void {
  later(() => {
    const visit = patientOf(id)?.visit;
    if (!visit || (move && !mayMove(visit, move))) return;
    change(id, (patient) => {
      const answered = withMessage(patient, { from: 'patient', kind });
      return move ? movePatient(answered, move) : answered;
    });
  });
}

const nowText = () => new Date(serverNow()).toISOString();

const withMessage = (patient: SamplePatient, message: Omit<SampleMessage, 'at'>): SamplePatient => ({
  ...patient,
  messages: [...patient.messages, { ...message, at: nowText() }],
});

function movePatient({ visit, ...patient }: SamplePatient, move: Move, reason?: EndReason): SamplePatient {
  const { to } = moves[move];
  const at = nowText();
  const statusCode: VisitStatus =
    to === 'back' ? (visit.statusBefore ?? 'WAITING') : to === 'stay' ? visit.statusCode : to;
  const isEnd = statusCode === 'DOCTOR_CANCELLED';
  const next: SamplePatient = {
    ...patient,
    visit: {
      ...visit,
      version: visit.version + 1,
      statusCode,
      statusBefore: visit.statusCode,
      statusAt: at,
      invitedAt: move === 'invite' || move === 'reinvite' ? at : visit.invitedAt,
      endedAt: isEnd ? at : null,
      endReason: isEnd ? (reason ?? 'seen') : null,
    },
  };
  if (move === 'invite') return withMessage(next, { from: 'office', kind: 'invite' });
  return move === 'reinvite' || move === 'remind' ? withMessage(next, { from: 'office', kind: 'reinvite' }) : next;
}

const samples = [
  { name: 'Ava Sample', birthDate: '2019-04-02', minutes: 4, missingForms: 0 },
  { name: 'Ben Sample', birthDate: '1986-09-17', minutes: 11, missingForms: 2 },
  { name: 'Rosa Sample', birthDate: '1951-12-30', minutes: 1, missingForms: formsOfSample },
];

function samplePatient(
  { name, birthDate, minutes, missingForms }: (typeof samples)[number],
  place: number,
  npi: string,
): SamplePatient {
  const createdAt = new Date(serverNow() - minutes * 60_000).toISOString();
  const visit: QueueEntry = {
    id: `00000000-0000-4000-8000-00000000000${place + 1}`,
    version: 1,
    npi,
    patient: name,
    patientUserCode: '',
    patientName: name,
    username: `+1212555019${place}`,
    statusCode: 'WAITING',
    statusBefore: null,
    createdAt,
    statusAt: createdAt,
    invitedAt: null,
    endedAt: null,
    endReason: null,
    endNote: null,
    actedBy: { kind: 'patient', name: null },
    autoInviteAt: null,
    stillWaitingAt: null,
    language: 'en',
    activePatients: [{ name, birthDate }],
    messageCount: 0,
    lastMessageState: null,
    lastTextId: null,
    lastTextProblem: null,
    lastTextLimitedUntil: null,
    textBlock: null,
    unreadMessages: 0,
    unreadText: null,
    forms: [],
    covid: false,
    patientCovidWarning: false,
    updateRequired: false,
    device: { notificationsEnabled: true },
    paymentResponse: null,
  };
  return { visit, messages: [], missingForms };
}
