import { randomInt } from 'node:crypto';
import { expect, request, type APIRequestContext, type BrowserContext, type Page } from '@playwright/test';
import { mapleTexts } from './patient-texts.ts';
import { newPhone } from './phones.ts';
import { staff, sessionFileOf } from './staff.ts';

export const maple = '1234567893';

/** A random name, so that a test can run twice on one server. */
export const newName = (): string =>
  `Pat${Array.from({ length: 7 }, () => 'abcdefghijklmnopqrstuvwxyz'[randomInt(26)]).join('')}`;

/** The desk's part of a patient's journey, through the panel's endpoints. */
export interface DeskApi {
  call(token: string): Promise<void>;
  end(token: string, reason: string): Promise<void>;
  write(token: string, body: string): Promise<void>;
  /** The patient's phone texts the practice. */
  reply(phone: string, body: string): Promise<void>;
  /** Requests a form; returns the URL texted to the patient. */
  ask(token: string, phone: string, formType: string): Promise<string>;
  /** Expects a patient by phone; returns the token of their texted link. */
  expect(phone: string): Promise<string>;
  /** How many visits of this name are in today's queue. */
  count(name: string): Promise<number>;
  /** Sets the opening hours; null is always open. */
  hours(openingHours: ({ open: string; close: string } | null)[] | null): Promise<void>;
  texts(phone: string): Promise<string[]>;
  close(): Promise<void>;
}

interface Entry {
  id: string;
  patient: string;
  createdAt: string;
  patientUserCode: string;
}

export async function deskApi(): Promise<DeskApi> {
  const baseURL = process.env.E2E_BASE_URL ?? '';
  const options = { baseURL, extraHTTPHeaders: { origin: baseURL } };
  const api = await request.newContext({ ...options, storageState: sessionFileOf(staff.dana) });
  const queue = async () =>
    read<Entry[]>(await api.get('/api/virtual-queue/doctor?includeDoctorCancelled=true&includeCancelled=true'));
  const entryOf = async (token: string) => {
    const page = await read<{ createdAt: string; firstName: string }>(await api.get(`/api/visit/${token}`));
    const found = (await queue()).find((e) => e.createdAt === page.createdAt && e.patient.startsWith(page.firstName));
    if (!found) throw new Error('not in the queue');
    return found;
  };
  const move = async (token: string, action: string, notes?: string) => {
    const { id } = await entryOf(token);
    await read(await api.post('/api/virtual-queue/', { data: { id, action, ...(notes && { notes }) } }));
  };
  const texts = async (phone: string) => {
    const sent = await read<{ body: string }[]>(await api.get('/dev/outbox.json', { params: { to: `+1${phone}` } }));
    return sent.map(({ body }) => body);
  };
  return {
    call: (token) => move(token, 'INVITED'),
    end: (token, reason) => move(token, 'DOCTOR_CANCELLED', reason),
    async write(token, body) {
      const { patientUserCode } = await entryOf(token);
      await read(await api.post(`/api/onemd/api/v2/message/${patientUserCode}`, { data: { body } }));
    },
    async reply(phone, body) {
      const data = { from: `+1${phone}`, to: mapleTexts, body };
      await read(await api.post('/dev/outbox/reply', { data }));
    },
    async ask(token, phone, formType) {
      const { id } = await entryOf(token);
      await read(await api.post(`/api/virtual-queue/visit/${id}/ask-form`, { data: { formType } }));
      const address = /https?:\S+/;
      await expect.poll(async () => (await texts(phone)).join(' ')).toMatch(address);
      return address.exec((await texts(phone)).join(' '))?.[0] ?? '';
    },
    async expect(phone) {
      await read(await api.post('/api/appointments/addCheckin', { data: { phone: `+1${phone}` } }));
      await expect.poll(() => texts(phone)).toHaveLength(1);
      return /\/([\w-]{22,64})\s*$/.exec((await texts(phone))[0] ?? '')?.[1] ?? '';
    },
    count: async (name) => (await queue()).filter(({ patient }) => patient.includes(name)).length,
    async hours(openingHours) {
      const settings = await read<object>(await api.get('/api/office/queue-settings'));
      await read(await api.put('/api/office/queue-settings', { data: { ...settings, openingHours } }));
    },
    texts,
    close: () => api.dispose(),
  };
}

async function read<T>(answer: Awaited<ReturnType<APIRequestContext['get']>>): Promise<T> {
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as T;
}

/** A visit made by another phone, with this many relatives; returns its token. */
export async function checkInByApi(
  firstName: string,
  phone = newPhone(),
  lastName = 'Qa',
  relatives: string[] = [],
): Promise<string> {
  const baseURL = process.env.E2E_BASE_URL ?? '';
  const api = await request.newContext({ baseURL, extraHTTPHeaders: { origin: baseURL } });
  const household = relatives.map((relative) => ({ firstName: relative, lastName, birthDate: null }));
  const data = { firstName, lastName, phone, birthDate: '1990-04-02', household, language: 'en' };
  const { token } = await read<{ token: string }>(await api.post(`/api/checkin/${maple}`, { data }));
  await api.dispose();
  return token;
}

/** The token texted to a visit's number after somebody typed that number in another browser. */
export async function textedToken(desk: DeskApi, phone: string): Promise<string> {
  const before = (await desk.texts(phone)).length;
  expect(await checkInByApi(newName(), phone)).toBeNull();
  await expect.poll(() => desk.texts(phone)).toHaveLength(before + 1);
  return /\/visit\/([\w-]{22,64})/.exec((await desk.texts(phone))[0] ?? '')?.[1] ?? '';
}

/** Fills the check-in form like a person. */
export async function fillIn(page: Page, firstName: string, phone: string | null = newPhone()): Promise<void> {
  await page.getByRole('radio', { name: 'Me' }).check();
  await page.getByLabel('First name').first().fill(firstName);
  await page.getByLabel('Last name').first().fill('Qa');
  if (phone !== null) await page.getByLabel('Mobile number').pressSequentially(phone);
  await page.getByLabel('Date of birth').first().pressSequentially('04021990');
}

export const checkInButton = (page: Page) => page.getByRole('button', { name: "I'm here" });

export const tokenOf = (page: Page): string => new URL(page.url()).pathname.split('/').pop() ?? '';

/** Shows this page a visit that began this many minutes ago. */
export async function waitsFor(page: Page, token: string, minutes: number): Promise<void> {
  const createdAt = `"createdAt":"${new Date(Date.now() - minutes * 60_000).toISOString()}"`;
  await page.route(new RegExp(`/visit/${token}$`), async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/"createdAt":"[^"]+"/, createdAt);
    await route.fulfill({ response: answer, body });
  });
}

/** Takes the phone offline: requests fail, and the live connection is cut. */
export async function loseNetwork(context: BrowserContext, page: Page): Promise<void> {
  await page.waitForLoadState('networkidle'); // a running answer would show that the server is reachable
  await context.setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
}
