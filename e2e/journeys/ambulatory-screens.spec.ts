import { expect, test } from '#e2e/helpers/journey.ts';
import { patientTexts, summitTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { shoot, openNurse, send } from '#e2e/helpers/nurses.ts';

test('the chat of a day lists unread messages, then the other conversations', async ({ browser }) => {
  const theo = await openNurse(browser, 'theo');
  const question = `May I shower? ${newPhone()}`;
  await patientTexts(theo, newPhone(), question, { to: summitTexts });
  await theo.getByRole('link', { name: /^Chat/ }).click();
  const row = (list: string) =>
    theo.getByRole('list', { name: list }).getByRole('button').filter({ hasText: question });
  await expect(row('Unread Messages')).toBeVisible();
  await expectAccessible(theo);
  await row('Unread Messages').click();
  await expect(row('Other Conversations')).toBeVisible();
  await expect(theo.getByRole('button', { name: 'Next day', exact: true })).toBeDisabled();
  await expectAccessible(theo);
  await theo.getByRole('button', { name: 'Previous day', exact: true }).click();
  await expect(row('Other Conversations')).toBeHidden();
  await expect(row('Unread Messages')).toBeHidden();
  await expectAccessible(theo);
});

test('the nurses’ pages are accessible in Spanish in the dark, when they are empty, and when they cannot be loaded', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const amara = await openNurse(browser, 'amara', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const theo = await openNurse(browser, 'theo');
  await expect(theo.getByRole('row', { name: 'Rosa Delgado' }).first()).toBeVisible();
  await shoot(theo, 'patients');
  await shoot(amara, 'patients-es');

  await amara.getByRole('searchbox').fill('Janet Osei');
  await amara.getByRole('button', { name: 'Retirar la invitación de Janet Osei' }).click();
  const question = amara.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await expectAccessible(amara);
  await shoot(amara, 'withdraw-es');
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await amara.getByRole('searchbox').fill('Rosa Delgado');
  await amara.getByRole('link', { name: 'Rosa Delgado' }).last().click();
  const notes = amara.getByLabel('Notas sobre el paciente');
  await expect(amara.getByRole('region', { name: /^Puntuaciones de dolor|dolor/i }).first()).toBeVisible();
  await expectAccessible(amara);
  await shoot(amara, 'details-es');

  // A colleague saves other notes while these are being written.
  await notes.fill('Llamar por la tarde.');
  const { user = '', episode = '' } = Object.fromEntries(new URL(amara.url()).searchParams);
  const patient = `/ambu/patients/${user}/${episode}`;
  await send(theo, 'PUT', patient, { notes: 'Knee arthroscopy, left. Daughter drives her.' });
  await expect(amara.getByText('guardó otras notas mientras tanto', { exact: false })).toBeVisible();
  await expectAccessible(amara);
  await shoot(amara, 'notes-overtaken-es');
  await theo.goto(`/dashboard/patient-details?user=${user}&episode=${episode}`);
  await theo.emulateMedia({ colorScheme: 'dark' });
  await theo.getByLabel('Notes about the patient').fill('Prefers mornings.');
  await send(amara, 'PUT', patient, { notes: 'Knee arthroscopy, left.' });
  await expect(theo.getByText('saved other notes meanwhile', { exact: false })).toBeVisible();
  await expectAccessible(theo);
  await theo.getByRole('button', { name: 'Use theirs only' }).click();
  await amara.getByRole('button', { name: 'Usar solo el de la otra persona' }).click();

  await amara.getByRole('button', { name: 'Abrir chat' }).click();
  await expect(amara.getByLabel('Enviar un mensaje')).toBeVisible();
  await expectAccessible(amara);
  await amara.goto('/dashboard/surveys');
  await expect(amara.getByRole('heading', { name: 'Encuestas' })).toBeVisible();
  await expectAccessible(amara);
  await shoot(amara, 'surveys-es');
  await amara.getByRole('button', { name: /^Eliminar la encuesta del día/ }).click();
  await expect(question).toBeVisible();
  await expectAccessible(amara);

  const nobody = { total: 0, page: 1, pageSize: 5, open: 0, now: new Date().toISOString() };
  for (const page of [theo, amara]) {
    await page.route(/\/api\/ambu\/(callbacks\?|patients\/search)/, (route) =>
      route.fulfill({ json: { ...nobody, callbacks: [], patients: [] } }),
    );
    await page.goto('/dashboard/patients');
    await expect(page.getByText(/^(No patients yet|Aún no hay pacientes)$/)).toBeVisible();
    await expect(page.getByText(/^(Nobody is waiting for a call|Nadie espera una llamada)$/)).toBeVisible();
    await expectAccessible(page);
    await shoot(page, page === theo ? 'empty' : 'empty-es');
    await page.route(/\/api\/ambu\/(callbacks\?|patients\/|surveys)/, (route) =>
      route.fulfill({ status: 500, json: {} }),
    );
    await page.reload();
    await expect(
      page.getByText(/^(The patients could not be loaded|No se pudieron cargar los pacientes)$/),
    ).toBeVisible({
      timeout: 20_000,
    });
    await expectAccessible(page);
    await shoot(page, page === theo ? 'failed' : 'failed-es');
    await page.goto('/dashboard/surveys');
    await expect(page.getByText(/^(The surveys could not be loaded|No se pudieron cargar las encuestas)$/)).toBeVisible(
      {
        timeout: 20_000,
      },
    );
    await expectAccessible(page);
  }
});
