import { expect, test, type Page } from './journey.ts';
import { fillIn, checkInButton, deskApi, maple, newName, tokenOf, type DeskApi } from './patient-phone.ts';
import { newPhone } from './phones.ts';

export let desk: DeskApi;

/** Sets the phone's screen for the journeys of a file, and opens the desk. */
export function openDeskAndPhone(): void {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test.beforeAll(async () => {
    desk = await deskApi();
  });
  test.afterAll(() => desk.close());
}

export const says = (page: Page, title: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const opens = (page: Page, token: string) => page.goto(`/visit/${token}`);
export const isHere = async (page: Page, name = newName(), phone = newPhone()) => {
  await page.goto(`/c/${maple}`);
  await fillIn(page, name, phone);
  await checkInButton(page).click();
  await says(page, 'You’re checked in');
  return { name, phone, token: tokenOf(page) };
};
