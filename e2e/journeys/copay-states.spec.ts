import type { QueueEntry } from '#contract/queue.ts';
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '#e2e/helpers/journey.ts';
import type { Language } from '#e2e/helpers/language.ts';
import { cards, paymentsOf } from '#e2e/helpers/payments.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shoot = shootAs('copay');

/** Dana works in English, Luis in Spanish; both at Maple. */
const open = async (browser: Browser, who: keyof typeof staff, options: BrowserContextOptions = {}): Promise<Page> =>
  (await browser.newContext({ storageState: sessionFileOf(staff[who]), ...options })).newPage();

/** The color of a tint on this page. */
const colorOf = (page: Page, tint: string) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.backgroundColor = `var(--${name}-tint)`;
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  }, tint);

type PaymentTest = (payment: NonNullable<QueueEntry['paymentResponse']>) => boolean;
const missing = 'Payment was successfully charged but not recorded in Athena. Please try again.';
const faltante = 'El pago se cobró correctamente, pero no se registró en Athena. Inténtelo de nuevo.';
/** A copay of the demo's morning in each state: the color and label of its status, the button in the queue, and what else its details say. */
const copays: {
  is: PaymentTest;
  tint: string;
  en: [string, string, ...string[]];
  es: [string, string, ...string[]];
}[] = [
  {
    is: ({ state, recording }) => state === 'SUCCEEDED' && recording === 'recorded',
    tint: 'green',
    en: ['Payment Done', 'Payment Successful'],
    es: ['Pago realizado', 'Pago exitoso'],
  },
  {
    is: ({ recording }) => recording === 'missing',
    tint: 'green',
    en: ['Payment Done', 'Payment Successful', missing],
    es: ['Pago realizado', 'Pago exitoso', faltante],
  },
  {
    is: ({ recording }) => recording === 'unknown',
    tint: 'green',
    en: ['Payment Done', 'Payment Successful', 'Athena did not say whether it has this payment.'],
    es: ['Pago realizado', 'Pago exitoso', 'Athena no dijo si tiene este pago.'],
  },
  {
    is: ({ state, requested }) => state === 'PENDING' && requested,
    tint: 'amber',
    en: ['Payment Pending', 'Pending Approval', 'The patient has not paid yet.'],
    es: ['Pago pendiente', 'Pendiente de aprobación', 'El paciente aún no ha pagado.'],
  },
  {
    is: ({ state, requested }) => state === 'PENDING' && !requested,
    tint: 'amber',
    en: ['Payment Pending', 'Pending Approval', 'The payment provider has not decided yet.'],
    es: ['Pago pendiente', 'Pendiente de aprobación', 'El proveedor de pagos aún no ha decidido.'],
  },
  {
    is: ({ state }) => state === 'FAILED',
    tint: 'red',
    en: ['Payment Pending', 'Payment Failed', 'Nothing was charged.', 'The card was declined.'],
    es: ['Pago pendiente', 'Pago fallido', 'No se cobró nada.', 'La tarjeta fue rechazada.'],
  },
  {
    is: ({ state }) => state === 'CANCELLED',
    tint: 'red',
    en: ['Payment Pending', 'Payment Cancelled'],
    es: ['Pago pendiente', 'Pago cancelado'],
  },
  {
    is: ({ state }) => state === 'UNKNOWN',
    tint: 'gray',
    en: ['Payment Pending', 'Unknown', 'The payment provider did not say whether it was charged.'],
    es: ['Pago pendiente', 'Desconocido', 'El proveedor de pagos no dijo si se cobró.'],
  },
];
const isOver = ({ statusCode }: QueueEntry) =>
  ['PATIENT_DONE', 'PATIENT_CANCELLED', 'DOCTOR_CANCELLED'].includes(statusCode);

for (const [language, who] of [
  ['en', 'dana'],
  ['es', 'luis'],
] as const)
  test(`each state of a copay is named in the queue and in its details (${language})`, async ({ browser }) => {
    const page = await open(browser, who);
    const answer = await page.request.get(
      '/api/virtual-queue/doctor?includeCancelled=true&includeDoctorCancelled=true',
    );
    const visits = (await answer.json()) as QueueEntry[];
    for (const [i, { is, tint, ...words }] of copays.entries()) {
      const [button, status, ...notes] = words[language];
      const visit = visits.find(({ paymentResponse }) => paymentResponse !== null && is(paymentResponse));
      expect(visit, status).toBeDefined();
      if (!visit) continue;
      await page.goto(`/dashboard?visit=${visit.id}${isOver(visit) ? '&tab=history' : ''}`);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(status, { exact: true })).toBeVisible();
      const badge = dialog.getByText(status, { exact: true }).locator('..');
      await expect(badge).toHaveCSS('background-color', await colorOf(page, tint));
      if (notes.length === 0) await expect(dialog.getByText(language === 'en' ? missing : faltante)).toBeHidden();
      for (const note of notes) await expect(dialog.getByText(note)).toBeVisible();
      await expectAccessible(page);
      await shoot(page, `details-${i}-${language}`);
      if (visit.paymentResponse?.state !== 'UNKNOWN') continue;
      // The answer is given where the payment is, and asked for once more: the patient could pay twice.
      await dialog
        .getByRole('button', { name: language === 'en' ? 'No, it was not charged' : 'No, no se cobró' })
        .click();
      const sure = page.getByRole('alertdialog');
      await expect(sure.getByRole('heading')).toContainText(visit.patientName);
      await expectAccessible(page);
      await sure.getByRole('button', { name: language === 'en' ? 'Cancel' : 'Cancelar' }).click();
      await expect(sure).toBeHidden();
      await expect(dialog.getByText(status, { exact: true })).toBeVisible();
    }
  });

/** The phone of a patient who opened the link in the text. */
async function openPhone(browser: Browser, link: string, language: Language): Promise<Page> {
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
interface ToDoQuestion {
  /** The patient. */
  name: string;
  question: Record<Language, string>;
}

/** The to-do list on two desks: one in English, the other in Spanish on a phone in the dark. */
async function openToDoLists(browser: Browser) {
  const onPhone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const desks = { en: await open(browser, 'dana'), es: await open(browser, 'luis', onPhone) };
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

const wasCharged = { en: 'Was the card charged?', es: '¿Se cobró a la tarjeta?' };
const wasRefunded = { en: 'Was it refunded?', es: '¿Se reembolsó?' };
const paidTwice = { en: 'Paid twice: refund one.', es: 'Pagado dos veces: reembolse uno.' };
const isRecorded = { en: 'Is the copay recorded in Athena?', es: '¿El copago está registrado en Athena?' };
const contradicted = {
  en: 'the payment provider never made it',
  es: 'el proveedor de pagos no lo hizo',
};

test('two phones, in English and Spanish, say what becomes of a payment until it is returned', async ({ browser }) => {
  test.setTimeout(120_000);
  const { desks, answer } = await openToDoLists(browser);
  const payments = await paymentsOf(desks.en);
  let visit = await payments.request('Celia', 2_500);
  const { name, link } = visit;
  const phones = { en: await openPhone(browser, link, 'en'), es: await openPhone(browser, link, 'es') };
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

  await test.step('unknown, and charged as the desk says', async () => {
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
