import sharp from 'sharp';
import { formsFilling, formsSettings } from '#contract/index.ts';
import type { FormSetting } from '#contract/forms-settings.ts';
import type { Questionnaire } from '#contract/forms/questionnaire.ts';
import type { TestHouse, TestOffice } from './house.ts';

const signature = [{ url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-signatureRequired' }];
const spanish = (content: string) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: content },
      ],
    },
  ],
});

/** A form with one of everything: words, a choice that asks more, a photo, a signature. */
export const arrivalForm: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'arrival',
  status: 'active',
  title: 'Before you come in',
  _title: spanish('Antes de entrar'),
  item: [
    {
      linkId: 'reason',
      type: 'string',
      text: 'What brings you here?',
      _text: spanish('¿Por qué viene?'),
      required: true,
    },
    { linkId: 'allergy', type: 'boolean', text: 'Any allergies?', required: true },
    {
      linkId: 'which',
      type: 'text',
      text: 'Which ones?',
      required: true,
      enableWhen: [{ question: 'allergy', operator: '=', answerBoolean: true }],
    },
    { linkId: 'card', type: 'attachment', text: 'Your card' },
    { linkId: 'sign', type: 'attachment', text: 'Your signature', required: true, extension: signature },
  ],
};

/** Answers with which it is complete. */
export const arrivalAnswers = {
  reason: ['Sore throat'],
  allergy: [false],
  sign: [{ contentType: 'text/plain', title: 'Ada Byron' }],
};

export const asked = (type: string, given: Partial<FormSetting> = {}): FormSetting => ({
  enabled: true,
  type,
  day: null,
  visibleName: { en: 'Arrival form', es: 'Formulario de llegada' },
  ...given,
});

/** Loads forms for an office and asks for them at check-in; answers their definitions' ids by type. */
export async function askFor(
  house: TestHouse,
  office: TestOffice,
  questionnaires: readonly Questionnaire[] = [arrivalForm],
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const questionnaire of questionnaires) {
    const { body } = await house.call(
      formsSettings.loadForm,
      { body: { text: JSON.stringify(questionnaire) } },
      { as: office },
    );
    if (!body.form) throw new Error(`not loaded: ${JSON.stringify(body)}`);
    ids[body.form.formType] = body.form.id;
  }
  const wanted = Object.keys(ids).map((type) => asked(type));
  await house.call(formsSettings.saveFormSettings, { body: { forms: wanted } }, { as: office });
  return ids;
}

/** A phone with a visit's link. */
export function phoneOf(house: TestHouse, token: string) {
  const nobody = { as: null };
  const at = (memberId: string, formType: string) => ({ params: { token, memberId, formType } });
  const list = () => house.call(formsFilling.listVisitForms, { params: { token } }, nobody);
  return {
    list,
    first: async () => (await list()).body.members[0]?.memberId ?? '',
    read: (memberId: string, formType = 'arrival') =>
      house.call(formsFilling.readVisitForm, at(memberId, formType), nobody),
    save: (memberId: string, step: Record<string, unknown>, formType = 'arrival') =>
      house.call(
        formsFilling.saveVisitForm,
        { ...at(memberId, formType), body: { version: 0, page: 0, answers: arrivalAnswers, ...step } as never },
        nobody,
      ),
    submit: (memberId: string, version: number, formType = 'arrival') =>
      house.call(formsFilling.submitVisitForm, { ...at(memberId, formType), body: { version } }, nobody),
    open: (memberId: string, formType = 'arrival') =>
      house.call(formsFilling.openVisitForm, at(memberId, formType), nobody),
    async upload(picture: Buffer, type = 'image/jpeg', kind = 'photo') {
      const answer = await house.app.inject({
        method: 'POST',
        url: `/api/visit/${token}/form-files?kind=${kind}`,
        headers: { 'content-type': type },
        payload: picture,
      });
      return {
        status: answer.statusCode,
        body: answer.json<{
          fileId: string;
          url: string;
          code?: string;
          width: number;
          height: number;
          size: number;
        }>(),
      };
    },
    photo: (fileId: string) => house.app.inject({ method: 'GET', url: `/api/visit/${token}/form-files/${fileId}` }),
  };
}

/** A visit whose first family member has submitted the form. */
export async function submittedForm(
  house: TestHouse,
  given: Parameters<TestHouse['visit']>[0] = {},
  formType = 'arrival',
  answers: Record<string, unknown[]> = arrivalAnswers,
) {
  const visit = await house.visit(given);
  const phone = phoneOf(house, visit.token);
  const memberId = await phone.first();
  const { body: open } = await phone.read(memberId, formType);
  await phone.save(memberId, { definitionId: open.definitionId, answers }, formType);
  const { status, body } = await phone.submit(memberId, 1, formType);
  if (status !== 200) throw new Error(`not submitted: ${JSON.stringify(body)}`);
  return { ...visit, ...body, visit, phone, memberId, definitionId: open.definitionId };
}

/** What a finger left on the screen: a line on nothing. */
export const drawnName = (width = 300, height = 100) =>
  sharp({ create: { width, height, channels: 4, background: '#00000000' } })
    .composite([{ input: { create: { width: 200, height: 4, channels: 4, background: '#113' } } }])
    .png()
    .toBuffer();

/** A picture in one colour, as a camera would make it. */
export const photo = (width = 80, height = 60) =>
  sharp({ create: { width, height, channels: 3, background: '#3a7' } })
    .jpeg()
    .toBuffer();
