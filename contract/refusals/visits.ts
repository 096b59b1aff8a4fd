import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals about a visit and its patient. */
export const visitRefusals = {
  visit_not_found: {
    status: 404,
    en: 'That patient is no longer in the queue.',
    es: 'Ese paciente ya no está en la fila.',
  },
  visit_link_ended: {
    status: 404,
    en: 'This link has expired. Please check in again or ask the front desk.',
    es: 'Este enlace venció. Regístrese de nuevo o pregunte en recepción.',
  },
  link_not_proved: {
    status: 403,
    en: 'Please open the link in the text message we sent you. This page only shows the status of the visit.',
    es: 'Abra el enlace del mensaje de texto que le enviamos. Esta página solo muestra el estado de la visita.',
  },
  visit_moved_on: {
    status: 409,
    en: 'Someone already updated this patient.',
    es: 'Alguien ya actualizó a este paciente.',
  },
  visit_running: {
    status: 409,
    en: 'This patient already has an open visit today.',
    es: 'Este paciente ya tiene una visita abierta hoy.',
  },
  visit_not_today: {
    status: 409,
    en: 'That visit was on another day and can no longer be changed.',
    es: 'Esa visita fue otro día y ya no se puede cambiar.',
  },
  office_closed: {
    status: 409,
    en: 'The office is closed right now.',
    es: 'El consultorio está cerrado en este momento.',
  },
  invalid_phone: {
    status: 400,
    en: 'Please enter a 10-digit mobile number from the United States or its territories.',
    es: 'Ingrese un número de celular de 10 dígitos de Estados Unidos o sus territorios.',
  },
  invalid_birth_date: {
    status: 400,
    en: 'Please enter a date of birth in the past.',
    es: 'Ingrese una fecha de nacimiento en el pasado.',
  },
  patient_not_found: { status: 404, en: 'We could not find that patient.', es: 'No encontramos a ese paciente.' },
} as const satisfies Record<string, RefusalTexts>;
