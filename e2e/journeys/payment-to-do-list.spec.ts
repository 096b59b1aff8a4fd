import { expect, test } from '#e2e/helpers/journey.ts';
import { cards, paymentsOf } from '#e2e/helpers/payments.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import {
  openToDoLists,
  wasCharged,
  wasRefunded,
  paidTwice,
  isRecorded,
  contradicted,
} from '#e2e/helpers/payment-desks.ts';

const shoot = shootAs('copay');

test('a copay that was called not charged, and was paid twice, is named in both languages until one is refunded', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const { desks, answer } = await openToDoLists(browser);
  const payments = await paymentsOf(desks.en);
  /** Called not charged, paid once more, and then the provider reports the first one. */
  const payTwice = async (firstName: string) => {
    const first = await payments.pay(await payments.request(firstName, 2_500), cards.noAnswer);
    await payments.play(first.chargeId, { reports: 6 });
    const { name } = first;
    await answer('en', { name, question: wasCharged }, 'No, it was not charged', 'The patient can then pay again.');
    const second = await payments.pay(first, cards.good);
    await payments.play(first.chargeId, { answers: true, reports: 2 });
    return { first, second, name };
  };

  await test.step('the desk refunds one', async () => {
    const { first, second, name } = await payTwice('Twyla');
    for (const language of ['en', 'es'] as const) {
      const desk = desks[language];
      const item = desk.getByRole('listitem').filter({ hasText: name }).filter({ hasText: paidTwice[language] });
      await expect(item).toHaveCount(1);
      await expect(item.getByText(first.chargeId)).toBeVisible();
      await expect(item.getByText(second.chargeId)).toBeVisible();
      await item.scrollIntoViewIfNeeded();
      await expectAccessible(desk);
      await shoot(desk, `paid-twice-${language}`);
      await desk.goto(`/dashboard?visit=${first.visitId}`);
      const badge = language === 'en' ? '$25.00 · paid twice, refund one' : '$25.00 · pagado dos veces, reembolse uno';
      await expect(desk.getByText(badge, { exact: true })).toBeVisible();
      await expectAccessible(desk);
      await shoot(desk, `paid-twice-queue-${language}`);
      await desk.goto('/dashboard/transactions');
      await desk.getByRole('button', { name: language === 'en' ? /^Show all/ : /^Mostrar los/ }).click();
    }
    const desk = desks.en;
    const item = desk.getByRole('listitem').filter({ hasText: paidTwice.en }).filter({ hasText: name });
    await item.getByRole('button', { name: 'Open to refund' }).last().click();
    const dialog = desk.getByRole('dialog');
    await expect(dialog.getByText(paidTwice.en)).toBeVisible();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByLabel('Reason').fill('Paid twice');
    await expectAccessible(desk);
    await shoot(desk, 'paid-twice-refund-en');
    await dialog.getByRole('button', { name: 'Refund $25.00' }).click();
    await expect(dialog.getByText(paidTwice.en)).toBeHidden();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(item).toBeHidden();
  });

  await test.step('the patient meant to pay both', async () => {
    const { name } = await payTwice('Bothwell');
    const stays = 'No se reembolsa nada, y sale de la lista de pendientes. No podrá cambiar esta respuesta.';
    await answer('es', { name, question: paidTwice }, 'Ambos son correctos', stays);
  });
});

test('refunds and recordings whose outcome nobody knows are named in both languages, and answered by the desk', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const { desks, answer } = await openToDoLists(browser);
  const payments = await paymentsOf(desks.en);
  const pay = async (firstName: string, recording: string) => {
    const paid = await payments.pay(await payments.request(firstName, 2_500), cards.good);
    await payments.recording(paid.chargeId).toBe(recording);
    return paid;
  };
  /** Opens the details of a payment on both desks, shows them and closes them. */
  const details = async (chargeId: string, state: string, en: string, es: string) => {
    for (const [language, words, close] of [
      ['en', en, 'Close'],
      ['es', es, 'Cerrar'],
    ] as const) {
      await desks[language].locator(`[data-charge="${chargeId}"]`).click();
      const dialog = desks[language].getByRole('dialog');
      await expect(dialog.getByText(words)).toBeVisible();
      await expectAccessible(desks[language]);
      await shoot(desks[language], `payment-${state}-${language}`);
      // News of the payment may arrive between the press and the release, and move the button.
      await expect(async () => {
        if (await dialog.isVisible()) await dialog.getByRole('button', { name: close }).last().click();
        await expect(dialog).toBeHidden({ timeout: 1_000 });
      }).toPass();
    }
  };

  await test.step('Athena loses an answer, and refuses a payment', async () => {
    await payments.athena('no-answer');
    const lost = await pay('Lost', 'unknown');
    await payments.athena('refuse');
    const refused = await pay('Refused', 'missing');
    await payments.athena(null);
    await answer(
      'es',
      { name: lost.name, question: isRecorded },
      'Sí, está registrado',
      'El pago queda como registrado. No podrá cambiar esta respuesta.',
    );
    await payments.recording(lost.chargeId).toBe('recorded');
    await answer(
      'en',
      {
        name: refused.name,
        question: {
          en: `${isRecorded.en} Athena does not accept payments right now.`,
          es: `${isRecorded.es} Athena no acepta pagos en este momento.`,
        },
      },
      'No, record it now',
      'It is recorded now.',
    );
    await payments.recording(refused.chargeId).toBe('recorded');
  });

  const { chargeId, name } = await pay('Rosa', 'recorded');
  /** A refund about which the provider answers nothing. */
  const loseRefund = async () => {
    const id = await payments.refund(chargeId, 500);
    return { id, giveUp: () => payments.play(id, { reports: 6 }) };
  };

  await test.step('a refund is under way, its outcome is unknown, and it was not made', async () => {
    await payments.play(chargeId, { answers: false, reports: 0 });
    const { giveUp } = await loseRefund();
    await details(chargeId, 'refund-under-way', '· under way ·', '· en curso ·');
    await giveUp();
    await expect(desks.en.getByRole('listitem').filter({ hasText: name })).toHaveCount(1);
    await details(chargeId, 'refund-unknown', '· outcome unknown ·', '· resultado desconocido ·');
    const means = 'The refund counts as failed, and can be made again.';
    await answer('en', { name, question: wasRefunded }, 'No, it was not refunded', means);
  });

  await test.step('a refund that somebody confirmed fails, and is taken back', async () => {
    const { id, giveUp } = await loseRefund();
    await giveUp();
    const means = 'The refund counts as done. You cannot change this answer.';
    await answer('en', { name, question: wasRefunded }, 'Yes, it was refunded', means);
    await payments.play(id, { state: 'FAILED', answers: true });
    const taken = 'El pago cuenta como no reembolsado, y puede volver a reembolsarlo.';
    await answer('es', { name, question: contradicted }, 'No, anular el reembolso', taken);
  });

  await test.step('another was paid in another way, and is then made too', async () => {
    const { id, giveUp } = await loseRefund();
    await giveUp();
    const means = 'El reembolso queda como hecho. No podrá cambiar esta respuesta.';
    await answer('es', { name, question: wasRefunded }, 'Sí, se reembolsó', means);
    await details(
      chargeId,
      'to-correct',
      'Athena still has $5.00 that was refunded.',
      'Athena aún tiene $5.00 que se reembolsaron.',
    );
    await payments.play(id, { state: 'FAILED', answers: true });
    const stays = 'The refund stays as it is. You cannot change this answer.';
    await answer('en', { name, question: contradicted }, 'Yes, they got the money', stays);
    await payments.play(id, { state: 'SUCCEEDED' });
    const twice = {
      en: 'and then the payment provider refunded it too',
      es: 'después el proveedor de pagos también lo reembolsó',
    };
    await expect(desks.en.getByRole('listitem').filter({ hasText: twice.en })).toHaveCount(1);
    for (const language of ['en', 'es'] as const) await shoot(desks[language], `to-do-${language}`);
    const leaves = 'Sale de la lista de pendientes. No podrá cambiar esta respuesta.';
    await answer('es', { name, question: twice }, 'Está resuelto', leaves);
    const correct = { en: 'Refunded, but still in Athena.', es: 'Reembolsado, pero' };
    await answer('es', { name, question: correct }, 'Ya está corregido', leaves);
  });

  await test.step('a refund that the desk reported as not made is made after it was refunded again', async () => {
    const lose = async () => {
      const id = await payments.refund(chargeId, 1_500);
      await payments.play(id, { reports: 6 });
      return id;
    };
    const first = await lose();
    const fails = 'The refund counts as failed, and can be made again.';
    await answer('en', { name, question: wasRefunded }, 'No, it was not refunded', fails);
    await payments.play(first, { state: 'FAILED', reports: 0 });
    await lose();
    const done = 'El reembolso queda como hecho. No podrá cambiar esta respuesta.';
    await answer('es', { name, question: wasRefunded }, 'Sí, se reembolsó', done);
    await payments.play(first, { state: 'SUCCEEDED', answers: true });
    const beyond = { en: 'The patient got back more than they paid', es: 'El paciente recibió más de lo que pagó' };
    for (const language of ['en', 'es'] as const) {
      await desks[language].getByText(beyond[language]).scrollIntoViewIfNeeded();
      await expectAccessible(desks[language]);
      await shoot(desks[language], `to-do-beyond-${language}`);
    }
    await answer('en', { name, question: beyond }, 'It’s settled', 'It leaves the to-do list.');
    const correct = { en: 'Refunded, but still in Athena.', es: 'Reembolsado, pero' };
    await answer('es', { name, question: correct }, 'Ya está corregido', 'Sale de la lista de pendientes.');
  });
});
