import type { MembershipStatus } from '#contract/membership.ts';
import { failingCard, goodCard, planOf, type PlanAtProvider } from '#e2e/helpers/card-provider.ts';
import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { forgetLanguage, speak, type Language } from '#e2e/helpers/language.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/plan-${name}.png`, fullPage: true });
};

type Words = Record<'en' | 'es', string>;
interface Step {
  name: string;
  act: (plan: PlanAtProvider) => Promise<unknown>;
  status: MembershipStatus;
  says: Words;
  /** A button of the page; its name is the spoken one. */
  offers?: string;
  /** No earlier step looks the same. */
  isNewLook?: true;
  /** The alert bar; undefined: none is shown. */
  warns?: Words;
}

const declinedText = {
  en: 'Your automatic payment method was declined. Enter another card.',
  es: 'Se rechazó su forma de pago automática. Ingrese otra tarjeta.',
};
const declined = {
  en: 'Your automatic payment method was declined. Visit Membership to re-activate.',
  es: 'Se rechazó su forma de pago automática. Visite Membresía para reactivarla.',
};
const ended = {
  en: 'Your plan has ended. Start a new one to continue.',
  es: 'Su plan terminó. Inicie uno para continuar.',
};

/** A plan's life, one step after the other, at the card provider itself: its clock goes on and its cards are declined. */
const life: Step[] = [
  {
    name: 'a trial',
    act: (plan) => plan.choose('lite'),
    status: 'trialing',
    says: { en: 'Your trial ends', es: 'Su prueba termina el' },
    offers: 'Switch: Prime',
  },
  {
    name: 'a trial that ends without a card',
    isNewLook: true,
    act: (plan) => plan.passUntil(1),
    status: 'trialing',
    says: { en: 'Add a card to keep your plan', es: 'Agregue una tarjeta para conservar su plan' },
    warns: {
      en: 'Your Anteroom trial ends in 1 day. Visit Membership to re-activate.',
      es: 'Su prueba de Anteroom termina en 1 día. Visite Membresía para reactivarla.',
    },
  },
  {
    name: 'paused',
    isNewLook: true,
    act: (plan) => plan.passUntil(-1),
    status: 'paused',
    says: {
      en: 'Your trial ended without a payment method. Add one, then re-activate your plan.',
      es: 'Su prueba terminó sin una forma de pago. Agregue una y reactive su plan.',
    },
    offers: 'Re-Activate Plan: Lite',
    warns: {
      en: 'Your Anteroom plan is paused. Visit Membership to re-activate.',
      es: 'Su plan de Anteroom está en pausa. Visite Membresía para reactivarlo.',
    },
  },
  {
    name: 'active',
    isNewLook: true,
    act: async (plan) => {
      await plan.saveCard(goodCard);
      await plan.choose('lite');
    },
    status: 'active',
    says: { en: 'Next billing date:', es: 'Próxima fecha de cobro:' },
    offers: 'Cancel Plan: Lite',
  },
  {
    name: 'a smaller plan from the next period on',
    isNewLook: true,
    act: (plan) => plan.choose('pilot'),
    status: 'active',
    says: { en: 'Changes to Pilot on', es: 'Cambia a Pilot el' },
    offers: 'Keep this plan: Lite',
  },
  {
    name: 'canceled at the end of the period',
    isNewLook: true,
    act: async (plan) => {
      await plan.cancel();
      await plan.passUntil(5);
    },
    status: 'active',
    says: { en: 'Your plan ends on', es: 'Su plan termina el' },
    offers: 'Re-Activate Plan: Lite',
    warns: {
      en: 'Your Anteroom membership ends in 5 days. Visit Membership to re-activate.',
      es: 'Su membresía de Anteroom termina en 5 días. Visite Membresía para reactivarla.',
    },
  },
  {
    name: 'a renewal that was declined',
    isNewLook: true,
    act: async (plan) => {
      await plan.choose('lite');
      await plan.saveCard(failingCard);
      await plan.passUntil(-1);
    },
    status: 'past_due',
    says: declinedText,
    offers: 'Edit Details',
    warns: declined,
  },
  {
    name: 'unpaid after all tries',
    act: (plan) => plan.pass(16),
    status: 'unpaid',
    says: declinedText,
    warns: declined,
  },
  {
    name: 'ended',
    isNewLook: true,
    act: (plan) => plan.passUntil(-1),
    status: 'canceled',
    says: ended,
    offers: 'Start Plan: Lite',
  },
  {
    name: 'a first charge that was declined',
    act: (plan) => plan.choose('lite'),
    status: 'incomplete',
    says: declinedText,
    warns: declined,
  },
  {
    name: 'given up after a day',
    act: (plan) => plan.pass(1),
    status: 'incomplete_expired',
    says: ended,
    offers: 'Start Plan: Pilot',
  },
  {
    name: 'started again with a good card',
    act: async (plan) => {
      await plan.saveCard(goodCard);
      await plan.choose('lite');
    },
    status: 'active',
    says: { en: 'Next billing date:', es: 'Próxima fecha de cobro:' },
  },
];

const warning = (page: Page) => page.getByRole('alert').filter({ hasText: /Visit Membership|Visite Membresía/ });

/** A page of Cedar's desk that hears what changes. The language chosen on it is not saved for other journeys. */
async function openConnected(browser: Browser, path: string): Promise<Page> {
  const page = await (await browser.newContext({ storageState: sessionFileOf(staff.mina) })).newPage();
  const hears = new Promise<void>((resolve) => {
    page.on('websocket', (socket) => socket.on('framereceived', () => resolve()));
  });
  await forgetLanguage(page);
  await page.goto(path);
  await hears;
  return page;
}

test('each state of a plan, as the card provider has it, appears on open pages in both languages, and warns', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const membership = await openConnected(browser, '/payments');
  const desk = await openConnected(browser, '/dashboard/settings');
  await expect(membership.getByText('You have no plan yet.')).toBeVisible();
  await expectAccessible(membership);
  await speak(membership, 'es');
  await expect(membership.getByText('Todavía no tiene un plan.')).toBeVisible();
  await shoot(membership, 'none-es');
  await speak(membership, 'en');

  const plan = await planOf(membership);
  for (const [i, { name, act, status, says, offers, warns, isNewLook }] of life.entries())
    await test.step(name, async () => {
      // Each step begins in the language in which the one before ended.
      const [first, second] = i % 2 === 0 ? (['en', 'es'] as const) : (['es', 'en'] as const);
      const look = async (language: Language) => {
        await expect(membership.getByText(says[language])).toBeVisible();
        await expect(warning(desk)).toHaveText(warns ? [new RegExp(`^${warns[language]}`)] : []);
        await shoot(membership, `${i}-${language}`);
        if (language === 'en' && offers !== undefined)
          await expect(membership.getByRole('button', { name: offers })).toBeVisible();
      };
      await act(plan);
      await expect.poll(async () => (await plan.seen()).status, { intervals: [100] }).toBe(status);
      // The provider's callback reaches the open pages; nobody loads them again.
      await look(first);
      await Promise.all([membership, desk].map((page) => speak(page, second)));
      await look(second);
      if (isNewLook) await expectAccessible(membership);
      if (isNewLook && warns) await expectAccessible(desk);
    });

  await test.step('a warning is closed until the panel is loaded again, and leads to where the plan is resumed', async () => {
    await plan.cancel();
    await plan.passUntil(2);
    await expect(warning(desk)).toContainText('membership ends in 2 days');
    await warning(desk).getByRole('button', { name: 'Close' }).click();
    await expect(warning(desk)).toBeHidden();
    await desk.reload();
    await warning(desk).getByRole('link', { name: 'Fix Issue' }).click();
    await expect(desk).toHaveURL(/\/payments$/);
    await desk.getByRole('button', { name: 'Re-Activate Plan: Lite' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Re-Activate Plan' }).click();
    await expect(desk.getByText('Next billing date:')).toBeVisible();
  });
});
