import { expect, type Page } from '@playwright/test';
import { checkInByApi, newName } from './patient-phone.ts';

const api = '/api/office/forms';
const origin = () => ({ origin: process.env.E2E_BASE_URL ?? '' });

/** The forms that a practice asks for, and those it has. */
export interface FormSettings {
  forms: unknown[];
  known: { formType: string }[];
}

export const readFormSettings = async (desk: Page): Promise<FormSettings> => (await desk.request.get(api)).json();

/** Other journeys of the practice ask for the forms that it had. */
export async function restoreFormSettings(desk: Page, before: FormSettings): Promise<void> {
  await desk.request.put(api, { headers: origin(), data: { forms: before.forms } });
  const { known } = await readFormSettings(desk);
  const had = new Set(before.known.map(({ formType }) => formType));
  for (const { formType } of known.filter((form) => !had.has(form.formType)))
    await desk.request.put(`${api}/own/${formType}`, { headers: origin(), data: { version: 0 } });
}

/** The practice loads a form of its own, and asks every patient for it. */
export async function requestOwnForm(desk: Page, before: FormSettings, form: { id: string; title: string }) {
  const headers = origin();
  const loaded = await desk.request.post(api, { headers, data: { text: JSON.stringify(form) } });
  expect(loaded.ok(), await loaded.text()).toBe(true);
  const visibleName = { en: form.title, es: form.title };
  const forms = [...before.forms, { enabled: true, type: form.id, day: null, visibleName }];
  const set = await desk.request.put(api, { headers, data: { forms } });
  expect(set.ok(), await set.text()).toBe(true);
}

/** A new patient opens the form on this phone. */
export async function openForm(phone: Page, title: string): Promise<void> {
  await phone.goto(`/visit/${await checkInByApi(newName())}`);
  await phone.getByRole('link', { name: new RegExp(`^${title}`) }).click();
}
