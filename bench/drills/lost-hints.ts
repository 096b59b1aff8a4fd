import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import {
  ambuCallbacks,
  ambuPatients,
  chatConversations,
  copay,
  episode,
  formsFilling,
  formsSettings,
  patientCheckIn,
  queue,
  sharing,
  sms,
  smsCheckin,
} from '#contract/index.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { actionOfMove } from '#contract/queue.ts';
import { startProcess } from '#testing/app/process.ts';
import { arrivalAnswers, arrivalForm, formSetting } from '#testing/fixtures/forms.ts';
import { launchChromium, signedIn } from '#bench/ground/browser.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, type Line } from '#bench/ground/report-lines.ts';
import { startDeafProxy, type DeafProxy } from './deaf-proxy.ts';

const limitMs = 20_000;

interface LostHints {
  hints: number;
  rounds: number;
  /** Hints arrive: then most screens must be right long before they look by themselves, or this drill proves nothing. */
  hears: boolean;
}

/** A screen, and what it shows once it is right: `times` if more than one place of it shows the round's mark. */
interface Screen {
  name: string;
  page: Page;
  shows: (mark: string) => string;
  times?: number;
}

/**
 * Real screens of the panel and the phone while no hint reaches them: each round changes what each of them shows, and each is right within
 * 20 s. Between the changes further hints are lost.
 */
export async function drillLostHints({ hints, rounds, hears }: LostHints): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const proxy = await startDeafProxy(ground.appUrl);
  const browser = await launchChromium();
  const server = await startProcess(ground.url, {
    NODE_ENV: 'production',
    DEMO: '1',
    DATABASE_DIRECT_URL: proxy.url,
  });
  try {
    const desks = await openDesks(ground, server.url);
    const phones = await openPhones(desks);
    const screens = await openScreens(server.url, desks, phones, browser);
    if (!hears) proxy.deafen();
    const outcomes: { name: string; tookMs: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const mark = `Zq${round}x`;
      await resetLimits(ground);
      await changeEverything(desks, phones, mark);
      outcomes.push(...(await Promise.all(screens.map((screen) => watch(screen, mark)))));
      await loseHints(ground, desks, proxy, hears ? 0 : (hints * round) / rounds);
    }
    const slowest = Math.max(...outcomes.map(({ tookMs }) => tookMs));
    const late = outcomes.filter(({ tookMs }) => tookMs > limitMs).map(({ name }) => name);
    return [
      {
        what: 'hints that reached no screen',
        figure: proxy.dropped().toLocaleString('en'),
        beside: hears ? 'they arrive in this run' : `in ${rounds} rounds`,
        aim: hears ? '0' : `≥ ${hints.toLocaleString('en')}`,
        met: hears ? proxy.dropped() === 0 : proxy.dropped() >= hints,
      },
      {
        what: `${screens.length} screens, ${outcomes.length} changes: right after`,
        figure: `slowest ${ms(slowest)}, ${late.length} later than 20 s`,
        beside: late.length > 0 ? [...new Set(late)].join(', ') : slowestOf(outcomes),
        aim: hears ? 'most within 3 s' : '≤ 20 s, all',
        met: hears ? outcomes.filter(({ tookMs }) => tookMs < 3_000).length * 2 > outcomes.length : late.length === 0,
      },
    ];
  } finally {
    await browser.close();
    await server.stop('SIGKILL');
    await proxy.close();
    await ground.close();
  }
}

const slowestOf = (outcomes: { name: string; tookMs: number }[]) =>
  outcomes
    .toSorted((a, b) => b.tookMs - a.tookMs)
    .slice(0, 3)
    .map(({ name, tookMs }) => `${name} ${ms(tookMs)}`)
    .join(', ');

/** Waits until a screen shows the round's mark; milliseconds since the change, which has just been made. */
async function watch(
  { name, page, shows, times = 1 }: Screen,
  mark: string,
): Promise<{ name: string; tookMs: number }> {
  const from = performance.now();
  const isRight = ([text, count]: [string, number]) => document.body.innerText.split(text).length > count;
  await page
    .waitForFunction(isRight, [shows(mark), times] as [string, number], { polling: 200, timeout: 2 * limitMs })
    .catch(() => undefined);
  return { name, tookMs: performance.now() - from };
}

interface Desk {
  id: string;
  npi: string;
  /** The session of a browser; another one than the calls'. */
  browserToken: string;
  send: Send;
}
type Send = <R, P, Q, B, Who extends Access>(e: Endpoint<R, P, Q, B, Who>, input?: SendInput) => Promise<R>;
interface SendInput {
  params?: Record<string, string>;
  body?: object;
}

/** Calls an endpoint; anything but 200 ends the drill. */
const sender =
  (url: string, headers: Record<string, string>): Send =>
  async (e, { params = {}, body } = {}) => {
    const path = e.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    const answer = await fetch(`${url}/api${path}`, {
      method: e.method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${e.method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as never;
  };

interface Desks extends Record<'maple' | 'harbor' | 'cedar' | 'summit', Desk> {
  owner: BenchDatabase['owner'];
  anyone: Send;
  /** A patient checks in at an office; the visit, and the token of its page on the patient's phone. */
  arrive(office: Desk, firstName: string, lastName?: string): Promise<{ id: string; token: string; userCode: string }>;
  /** The token of the newest link that was texted to a patient after a surgery. */
  tokenOfEpisode(phone: string): Promise<string>;
}

/** The demo's offices: the queue, the older forms screen, sms mode, patients after a surgery. They are always open. */
async function openDesks(ground: BenchDatabase, url: string): Promise<Desks> {
  const { owner } = ground;
  const desk = async (npi: string): Promise<Desk> => {
    const { id, personId } = await owner
      .selectFrom('office')
      .innerJoin('membership', 'membership.officeId', 'office.id')
      .select(['office.id', 'membership.personId'])
      .where('office.npi', '=', npi)
      .executeTakeFirstOrThrow();
    const [token, browserToken] = [await ground.session(personId), await ground.session(personId)];
    return { id, npi, browserToken, send: sender(url, { authorization: `Bearer ${token}`, 'x-office': id }) };
  };
  const anyone = sender(url, {});
  return {
    maple: await desk('1234567893'),
    harbor: await desk('2000000010'),
    cedar: await desk('2000000028'),
    summit: await desk('2000000036'),
    owner,
    anyone,
    async arrive({ id: officeId, npi }, firstName, lastName = 'Aaaron') {
      const body = {
        firstName,
        lastName,
        phone: newPhone(),
        birthDate: '1990-01-01',
        household: [],
        language: 'en',
      };
      const { token } = await anyone(patientCheckIn.checkIn, { params: { npi }, body });
      const visit = await owner
        .selectFrom('visit')
        .innerJoin('patient', 'patient.id', 'visit.patientId')
        .select(['visit.id', 'patient.userCode'])
        .where('visit.officeId', '=', officeId)
        .where('visit.phone', '=', body.phone)
        .executeTakeFirstOrThrow();
      return { ...visit, token: token ?? '' };
    },
    async tokenOfEpisode(phone) {
      for (let tries = 0; tries < 100; tries++, await sleep(200)) {
        const sent = await fetch(`${url}/dev/outbox.json?to=${encodeURIComponent(phone)}`);
        for (const { body } of (await sent.json()) as { body: string }[]) {
          const [, token] = /\/episode\/([\w-]+)/.exec(body) ?? [];
          if (token !== undefined) return token;
        }
      }
      throw new Error('no link to an episode was texted');
    },
  };
}

let numbers = 0;
const areaCodes = [201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219];
/** A number nobody else has, of those reserved for fiction. */
function newPhone(): string {
  const n = numbers++;
  return `+1${areaCodes[Math.floor(n / 100) % areaCodes.length]}55501${String(n % 100).padStart(2, '0')}`;
}

/** The pages of patients that stay open: a visit whose form is filed, and an episode. */
async function openPhones(desks: Desks) {
  const { maple, summit, anyone } = desks;
  await maple.send(formsSettings.loadForm, { body: { text: JSON.stringify(arrivalForm) } });
  await maple.send(formsSettings.saveFormSettings, { body: { forms: [formSetting('arrival')] } });
  const visit = await desks.arrive(maple, 'Mia');
  const submissionId = await fileForm(anyone, visit.token);
  const { conversationId } = await maple.send(chatConversations.openChatConversation, {
    body: { targetUserCode: visit.userCode },
  });
  const phoneNumber = newPhone();
  const invited = await summit.send(ambuPatients.invitePatient, {
    body: { phoneNumber, patientName: 'Noah Episode', quietHours: 'ignore' },
  });
  const episodeToken = await desks.tokenOfEpisode(phoneNumber);
  return { visit: { ...visit, submissionId }, conversationId, invited, episodeToken };
}

/** Fills in and files the form of a visit's first member. */
async function fileForm(anyone: Send, token: string): Promise<string> {
  const { members } = await anyone(formsFilling.listVisitForms, { params: { token } });
  const params = { token, memberId: members[0]?.memberId ?? '', formType: 'arrival' };
  const { definitionId } = await anyone(formsFilling.readVisitForm, { params });
  await anyone(formsFilling.saveVisitForm, {
    params,
    body: { definitionId, version: 0, page: 0, answers: arrivalAnswers },
  });
  const { submissionId } = await anyone(formsFilling.submitVisitForm, { params, body: { version: 1 } });
  return submissionId;
}

type Phones = Awaited<ReturnType<typeof openPhones>>;

/** One screen of each kind, each in the browser of its office or patient. */
async function openScreens(url: string, desks: Desks, phones: Phones, browser: Browser): Promise<Screen[]> {
  const { maple, harbor, cedar, summit } = desks;
  const contexts = new Map<Desk | null, BrowserContext>();
  for (const desk of [maple, harbor, cedar, summit]) {
    contexts.set(desk, await browser.newContext(signedIn(url, desk.browserToken)));
  }
  contexts.set(null, await browser.newContext());
  const open = async (name: string, desk: Desk | null, path: string, shows: Screen['shows'], times?: number) => {
    const page = await (contexts.get(desk) as BrowserContext).newPage();
    await page.goto(url + path, { waitUntil: 'networkidle' });
    return { name, page, shows, ...(times !== undefined && { times }) };
  };
  const details = `user=${phones.invited.userCode}&episode=${phones.invited.userId}`;
  return [
    await open('queue', maple, '/dashboard', (mark) => `${mark}q`),
    await open(
      'inbox and conversation',
      maple,
      `/dashboard/messages?filter=all&conversation=${phones.conversationId}`,
      message,
      2,
    ),
    await open('forms', maple, '/dashboard/forms', (mark) => `${mark}q`),
    await open('patient list', maple, '/dashboard/patient-list', (mark) => `${mark}q`),
    await open('transactions', maple, '/dashboard/transactions', (mark) => `${mark}q`),
    await open("today's forms", harbor, '/dashboard/forms', (mark) => `${mark}h`),
    await open('outbox', cedar, '/sms-dashboard', message),
    await open('checked in', cedar, '/sms-dashboard/checked-in', (mark) => `${mark}c`),
    await open('history', cedar, '/sms-dashboard/history', (mark) => `${mark}d`),
    await open('callbacks and patients', summit, '/dashboard/patients', (mark) => `${mark} Callback`, 2),
    await open('patient after a surgery', summit, `/dashboard/patient-details?${details}`, (mark) => `${mark} Episode`),
    await open('visit on the phone', null, `/visit/${phones.visit.token}`, (mark) => `${mark} clinic`),
    await open('forms on the phone', null, `/visit/${phones.visit.token}`, (mark) => `${mark} form`),
    await open('links on the phone', null, `/visit/${phones.visit.token}/forms/share`, (mark) => `${mark} school`),
    await open('episode on the phone', null, `/episode/${phones.episodeToken}`, (mark) => `${mark} clinic`),
  ];
}

const message = (mark: string) => `${mark} we are ready`;

/** One change for each screen. The names of offices and patients change in the database alone, so there was never a hint. */
async function changeEverything({ maple, harbor, cedar, summit, ...desks }: Desks, phones: Phones, mark: string) {
  const { owner, arrive, anyone, tokenOfEpisode } = desks;
  const visit = await arrive(maple, `${mark}q`);
  await fileForm(anyone, visit.token);
  await maple.send(copay.requestPayment, { body: { visitId: visit.id, copay: 2_000 } });
  await maple.send(queue.messagePatient, {
    params: { userCode: phones.visit.userCode },
    body: { body: message(mark), quietHours: 'ignore' },
  });
  const visibleName = { en: `${mark} form`, es: `${mark} form` };
  const forms = [formSetting('arrival'), formSetting('consent', { visibleName })];
  await maple.send(formsSettings.saveFormSettings, { body: { forms } });
  const { token, submissionId } = phones.visit;
  const share = { sharedWith: `${mark} school`, submissionIds: [submissionId] };
  await anyone(sharing.makeShare, { params: { token }, body: share });
  await arrive(harbor, `${mark}h`);
  const deliveryOptions = [{ phoneNumber: newPhone() }];
  await cedar.send(sms.sendSms, { body: { message: message(mark), deliveryOptions } });
  await arrive(cedar, `${mark}c`);
  const { id } = await arrive(cedar, `${mark}d`);
  await cedar.send(smsCheckin.updateCheckin, { body: { id, status: 'HISTORY' } });
  const phoneNumber = newPhone();
  const patientName = `${mark} Callback`;
  await summit.send(ambuPatients.invitePatient, { body: { phoneNumber, patientName, quietHours: 'ignore' } });
  const params = { token: await tokenOfEpisode(phoneNumber) };
  await anyone(episode.consentToEpisode, { params, body: { consent: true, language: 'en' } });
  await anyone(episode.requestCall, { params });
  await closeCallbacks(summit, mark);
  const ofSummit = owner
    .updateTable('episode')
    .set({ name: `${mark} Episode` })
    .where('officeId', '=', summit.id);
  await ofSummit.where('id', '=', phones.invited.userId).execute();
  for (const { id: officeId } of [maple, summit])
    await owner
      .updateTable('office')
      .set({ name: `${mark} clinic` })
      .where('id', '=', officeId)
      .execute();
}

/** Those of other patients: the list has five a page, the longest waiting first. */
async function closeCallbacks(summit: Desk, mark: string): Promise<void> {
  for (;;) {
    const { callbacks } = await summit.send(ambuCallbacks.listCallbacks);
    const others = callbacks.filter(({ patientName }) => !patientName.startsWith(mark));
    if (others.length === 0) return;
    for (const { id, version, state } of others) {
      const params = { id };
      const take = { move: state === 'open' ? 'take' : 'takeOver', version };
      const taken = await summit.send(ambuCallbacks.moveCallback, { params, body: take });
      const close = { move: 'close', version: taken.version, note: 'Called' };
      await summit.send(ambuCallbacks.moveCallback, { params, body: close });
    }
  }
}

/** Check-ins that are removed again, one after the other, until this many hints are lost. */
async function loseHints(ground: BenchDatabase, desks: Desks, proxy: DeafProxy, wanted: number): Promise<void> {
  while (proxy.dropped() < wanted) {
    await resetLimits(ground);
    const { id } = await desks.arrive(desks.maple, 'Zed', 'Zzz');
    const body = { id, action: actionOfMove.remove, notes: 'cancelled' };
    await desks.maple.send(queue.moveVisit, { body });
  }
}

const resetLimits = ({ owner }: BenchDatabase) => owner.deleteFrom('rateLimit').execute();
