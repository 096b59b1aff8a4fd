import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of ambulatory mode: episodes, surveys and nurse callbacks. */
export const ambulatoryRefusals = {
  episode_link_ended: {
    status: 404,
    en: 'This link no longer works. Please open the link in the newest text from your care team, or call the office.',
    es: 'Este enlace ya no es válido. Abra el enlace del mensaje más reciente de su equipo médico o llame al consultorio.',
  },
  episode_not_active: {
    status: 409,
    en: 'Surveys are not turned on for you. Please agree to them first, or call the office.',
    es: 'Las encuestas no están activadas para usted. Acéptelas primero o llame al consultorio.',
  },
  episode_moved_on: {
    status: 409,
    en: 'Someone already changed this patient’s follow-up.',
    es: 'Alguien ya cambió el seguimiento de este paciente.',
  },
  invalid_episode_date: {
    status: 400,
    en: 'Please choose a date at most 60 days ago and at most 180 days ahead.',
    es: 'Elija una fecha de hace 60 días como máximo y dentro de 180 días como máximo.',
  },
  already_followed: {
    status: 409,
    en: 'This patient already gets your surveys.',
    es: 'Este paciente ya recibe sus encuestas.',
  },
  already_invited: {
    status: 409,
    en: 'This number has an open invite for another name. Withdraw that invite first, or wait for the answer.',
    es: 'Este número tiene una invitación pendiente para otro nombre. Retire primero esa invitación o espere la respuesta.',
  },
  invite_not_found: {
    status: 404,
    en: 'There is no open invitation for this number.',
    es: 'No hay ninguna invitación pendiente para este número.',
  },
  notes_changed: {
    status: 409,
    en: 'Someone else saved these notes while you were writing. Compare both versions, then save again.',
    es: 'Otra persona guardó estas notas mientras usted escribía. Compare ambas versiones y guarde de nuevo.',
  },
  callback_not_found: { status: 404, en: 'We could not find that callback.', es: 'No encontramos esa llamada.' },
  callback_moved_on: {
    status: 409,
    en: 'Someone else already took or closed this callback.',
    es: 'Otra persona ya tomó o cerró esta llamada.',
  },
  callback_needs_note: {
    status: 400,
    en: 'Please write a note about the call before you close the callback.',
    es: 'Escriba una nota sobre la llamada antes de cerrarla.',
  },
  survey_not_found: { status: 404, en: 'We could not find that survey.', es: 'No encontramos esa encuesta.' },
  survey_closed: {
    status: 409,
    en: 'The time to answer this survey is over. If something worries you, please call the office.',
    es: 'Ya pasó el tiempo para responder esta encuesta. Si algo le preocupa, llame al consultorio.',
  },
  survey_submitted: {
    status: 409,
    en: 'This survey was already submitted.',
    es: 'Esta encuesta ya se envió.',
  },
  survey_day_taken: {
    status: 409,
    en: 'Choose a day after the last survey of the plan.',
    es: 'Elija un día posterior a la última encuesta del plan.',
  },
  survey_not_last: {
    status: 409,
    en: 'Only the last day survey can be deleted. The plan has changed; please look again.',
    es: 'Solo se puede eliminar la encuesta del último día. El plan cambió; revíselo de nuevo.',
  },
  too_many_surveys: {
    status: 409,
    en: 'A plan can have 60 day surveys at most.',
    es: 'Un plan puede tener 60 encuestas diarias como máximo.',
  },
} as const satisfies Record<string, RefusalTexts>;
