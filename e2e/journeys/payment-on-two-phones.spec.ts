import { expect, test } from '#e2e/helpers/journey.ts';
import { cards, paymentsOf } from '#e2e/helpers/payments.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import { openPatientPhone, openToDoLists, wasCharged, wasRefunded } from '#e2e/helpers/payment-desks.ts';

const shoot = shootAs('copay');

test('two phones, in English and Spanish, say what becomes of a payment until it is returned', async ({ browser }) => {
  test.setTimeout(120_000);
  const { desks, answer } = await openToDoLists(browser);
  const payments = await paymentsOf(desks.en);
  let visit = await payments.request('Celia', 2_500);
  const { name, link } = visit;
  const phones = { en: await openPatientPhone(browser, link, 'en'), es: await openPatientPhone(browser, link, 'es') };
  const look = async (state: string, en: string, es: string) => {
    await expect(phones.en.getByText(en)).toBeVisible();
    await expect(phones.es.getByText(es)).toBeVisible();
    for (const language of ['en', 'es'] as const) {
      await expectAccessible(phones[language]);
      await shoot(phones[language], `phone-${state}-${language}`);
    }
  };

  await test.step('the script of the card form does not come', async () => {
    const formOf = {
      en: phones.en.frameLocator('iframe[title="Card form"]'),
      es: phones.es.frameLocator('iframe[title="Formulario de la tarjeta"]'),
    };
    const nameOf = {
      en: formOf.en.getByLabel('Cardholder Name'),
      es: formOf.es.getByLabel('Nombre del titular'),
    };
    for (const [language, open] of [
      ['en', 'Pay by card'],
      ['es', 'Pagar con tarjeta'],
    ] as const) {
      const phone = phones[language];
      await phone.clock.install();
      await phone.route('**/charges/assets/page.js*', (route) => route.abort());
      await phone.getByRole('button', { name: open }).click();
      await nameOf[language].fill('Celia Quill');
      await phone.clock.fastForward(10_000);
    }
    const words = {
      en: 'The card form did not load completely. Nothing was charged.',
      es: 'El formulario de la tarjeta no se cargó por completo. No se cobró nada.',
    };
    await look('no-script', words.en, words.es);
    for (const [language, again, pay] of [
      ['en', 'Try again', 'Pay $25.00'],
      ['es', 'Intentar de nuevo', 'Pagar $25.00'],
    ] as const) {
      const phone = phones[language];
      await phone.unroute('**/charges/assets/page.js*');
      await phone.getByRole('button', { name: again }).click();
      await expect(formOf[language].getByRole('button', { name: pay })).toBeEnabled();
      await expect(phone.getByText(words[language])).toBeHidden();
      await expect(nameOf[language]).toHaveValue('Celia Quill');
    }
  });

  await test.step('declined', async () => {
    const form = phones.es.frameLocator('iframe[title="Formulario de la tarjeta"]');
    await form.getByLabel('Nombre del titular').fill('Celia Quill');
    await form.getByLabel('Número de tarjeta').fill(cards.declined);
    await form.getByLabel('Fecha de vencimiento').fill('12/39');
    await form.getByLabel('CVC').fill('123');
    await form.getByRole('button', { name: 'Pagar $25.00' }).click();
    await look('declined', 'Your card was declined.', 'Su tarjeta fue rechazada.');
  });

  await test.step('checked, then canceled by the bank', async () => {
    visit = await payments.pay(visit, cards.pending);
    await look(
      'pending',
      'We are checking your payment. Please do not pay again.',
      'Estamos verificando su pago. No pague de nuevo.',
    );
    await payments.play(visit.chargeId, { state: 'CANCELED' });
    await look(
      'canceled',
      'This payment was canceled. Nothing was charged.',
      'Este pago se canceló. No se cobró nada.',
    );
  });

  /** Pays with a card about which the provider answers nothing, until our server gives up asking. */
  const loseTrack = async () => {
    visit = await payments.pay(visit, cards.noAnswer);
    await payments.play(visit.chargeId, { reports: 6 });
    await expect(phones.en.getByText('We do not know yet whether your payment went through.')).toBeVisible();
  };

  await test.step('a payment is unknown, then not charged, as the desk says', async () => {
    visit = await payments.requestAgain(visit, 2_500);
    await loseTrack();
    await look(
      'unknown',
      'Please do not pay again; the front desk will find out.',
      'No pague de nuevo; la recepción lo averiguará.',
    );
    const means = 'The patient can then pay again.';
    await answer('en', { name, question: wasCharged }, 'No, it was not charged', means);
    await look(
      'not-sent',
      'Your payment did not go through. Nothing was charged; please try again.',
      'Su pago no se realizó. No se cobró nada; inténtelo de nuevo.',
    );
  });

  await test.step('a payment is unknown, then charged, as the desk says', async () => {
    await loseTrack();
    const means = 'El pago queda como pagado. No podrá cambiar esta respuesta.';
    await answer('es', { name, question: wasCharged }, 'Sí, se cobró', means);
    await look('paid', 'Paid: $25.00', 'Pagado: $25.00');
  });

  await test.step('returned', async () => {
    await payments.refund(visit.chargeId, 2_500);
    const means = 'El reembolso queda como hecho. No podrá cambiar esta respuesta.';
    await answer('es', { name, question: wasRefunded }, 'Sí, se reembolsó', means);
    await look('returned', 'Payment returned: $25.00', 'Pago devuelto: $25.00');
    for (const [language, receipt] of [
      ['en', 'Payment returned: $25.00'],
      ['es', 'Pago devuelto: $25.00'],
    ] as const) {
      const desk = desks[language];
      await desk.locator(`[data-charge="${visit.chargeId}"]`).click();
      await desk.emulateMedia({ media: 'print' });
      await expect(desk.getByText(receipt, { exact: true })).toBeVisible();
      await shoot(desk, `receipt-returned-${language}`);
      await desk.emulateMedia({ media: 'screen' });
    }
  });
});
