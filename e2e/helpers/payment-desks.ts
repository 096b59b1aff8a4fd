import { expect, type Browser, type BrowserContextOptions, type Page } from '#e2e/helpers/journey.ts';
import type { Language } from '#e2e/helpers/language.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

/** Dana works in English, Luis in Spanish; both at Maple. */
export const openAtMaple = async (
  browser: Browser,
  who: keyof typeof staff,
  options: BrowserContextOptions = {},
): Promise<Page> => (await browser.newContext({ storageState: sessionFileOf(staff[who]), ...options })).newPage();

/** The phone of a patient who opened the link in the text. */
export async function openPatientPhone(browser: Browser, link: string, language: Language): Promise<Page> {
  const looks = {
    en: { viewport: { width: 390, height: 844 } },
    es: { viewport: { width: 360, height: 780 }, locale: 'es-US', colorScheme: 'dark' },
  } as const;
  const phone = await (await browser.newContext(looks[language])).newPage();
  await phone.goto(link);
  if (language === 'es') await phone.getByRole('button', { name: 'Español' }).click();
  return phone;
}

/** One question of the to-do list. */
export interface ToDoQuestion {
  /** The patient. */
  name: string;
  question: Record<Language, string>;
}

/** The to-do list on two desks: one in English, the other in Spanish on a phone in the dark. */
export async function openToDoLists(browser: Browser) {
  const onPhone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const desks = { en: await openAtMaple(browser, 'dana'), es: await openAtMaple(browser, 'luis', onPhone) };
  await Promise.all(Object.values(desks).map((desk) => desk.goto('/dashboard/transactions')));
  await expect(desks.en.getByRole('heading', { name: 'To do: find out what happened' })).toBeVisible();
  await expect(desks.es.getByRole('heading', { name: 'Pendiente: averigüe qué pasó' })).toBeVisible();
  // The rest of a long list is behind a button.
  await desks.en.getByRole('button', { name: /^Show all \d+$/ }).click();
  await desks.es.getByRole('button', { name: /^Mostrar los \d+$/ }).click();
  const item = (language: Language, { name, question }: ToDoQuestion) =>
    desks[language].getByRole('listitem').filter({ hasText: name }).filter({ hasText: question[language] });
  return {
    desks,
    /** Answers a question that both desks see, on the one of this language, once more after being told what it means. */
    async answer(language: Language, asked: ToDoQuestion, answer: string, means: string): Promise<void> {
      const [mine, theirs] = [item(language, asked), item(language === 'en' ? 'es' : 'en', asked)];
      await expect(mine).toHaveCount(1);
      await expect(theirs).toHaveCount(1);
      await mine.getByRole('button', { name: `${answer}: ${asked.name}` }).click();
      const sure = desks[language].getByRole('alertdialog');
      await expect(sure.getByRole('heading')).toContainText(asked.name);
      await expect(sure.getByText(means)).toBeVisible();
      await expectAccessible(desks[language]);
      await sure.getByRole('button', { name: answer }).click();
      await expect(sure).toBeHidden();
      await expect(mine).toBeHidden();
      await expect(theirs).toBeHidden();
    },
  };
}

/** What the questions say. */
export const wasCharged = { en: 'Was the card charged?', es: '¿Se cobró a la tarjeta?' };
export const wasRefunded = { en: 'Was it refunded?', es: '¿Se reembolsó?' };
export const paidTwice = { en: 'Paid twice: refund one.', es: 'Pagado dos veces: reembolse uno.' };
export const isRecorded = { en: 'Is the copay recorded in Athena?', es: '¿El copago está registrado en Athena?' };
export const contradicted = {
  en: 'the payment provider never made it',
  es: 'el proveedor de pagos no lo hizo',
};
