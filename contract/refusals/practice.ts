import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals about a practice and its team: registration, agreement, confirmation, invitations. */
export const practiceRefusals = {
  no_office: {
    status: 403,
    en: 'Register your practice first.',
    es: 'Primero registre su consultorio.',
  },
  agreement_missing: {
    status: 403,
    en: 'Sign the HIPAA agreement first.',
    es: 'Primero firme el acuerdo HIPAA.',
  },
  office_not_found: {
    status: 404,
    en: 'We could not find that practice.',
    es: 'No encontramos ese consultorio.',
  },
  email_in_use: {
    status: 409,
    en: 'This mail is being used by another office',
    es: 'Otro consultorio ya usa este correo',
  },
  registration_incomplete: {
    status: 400,
    en: 'Please check the fields that are marked.',
    es: 'Revise los campos marcados.',
  },
  npi_claimed: {
    status: 409,
    en: 'A practice with this NPI is already registered.',
    es: 'Ya hay un consultorio registrado con este NPI.',
  },
  limited_phone_invitation: {
    status: 403,
    en: 'Your practice is not confirmed yet, so it can invite colleagues by email only. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que solo puede invitar a colegas por correo electrónico. Presione «Confirme su consultorio» en la parte superior de la página.',
  },
  already_confirmed: {
    status: 409,
    en: 'Your practice is already confirmed.',
    es: 'Su consultorio ya está confirmado.',
  },
  no_listed_phone: {
    status: 409,
    en: 'We don’t have a number for your NPI that can receive texts. We review every new practice ourselves.',
    es: 'No tenemos para su NPI ningún teléfono que pueda recibir mensajes. Nosotros mismos revisamos todos los consultorios nuevos.',
  },
  listed_phone_refused: {
    status: 409,
    en: 'The listed number cannot get texts; it may be a landline. We review every new practice ourselves.',
    es: 'El número registrado no puede recibir mensajes; quizás sea un teléfono fijo. Nosotros mismos revisamos todos los consultorios nuevos.',
  },
  already_colleague: {
    status: 409,
    en: 'This person already belongs to the practice.',
    es: 'Esta persona ya pertenece al consultorio.',
  },
  colleague_not_found: {
    status: 404,
    en: 'That person no longer belongs to the practice.',
    es: 'Esa persona ya no pertenece al consultorio.',
  },
  last_colleague: {
    status: 409,
    en: 'A practice needs at least one person, so the last one cannot be removed.',
    es: 'Un consultorio necesita al menos una persona; no se puede quitar a la última.',
  },
  invitation_over: {
    status: 404,
    en: 'This invitation has expired or was canceled. Ask the practice for a new one.',
    es: 'Esta invitación venció o fue cancelada. Pida una nueva al consultorio.',
  },
  invited_another: {
    status: 403,
    en: 'This invitation was sent to another address. Sign in with the one it was sent to.',
    es: 'Esta invitación se envió a otra dirección. Inicie sesión con esa dirección.',
  },
  support_away: {
    status: 503,
    en: 'Your message could not be sent. Please try again, or call.',
    es: 'No se pudo enviar su mensaje. Inténtelo de nuevo o llame.',
  },
  push_service_unknown: {
    status: 400,
    en: 'Notifications can’t be sent to this browser. Please use another browser.',
    es: 'No se pueden enviar avisos a este navegador. Use otro navegador.',
  },
  invalid_email: {
    status: 400,
    en: 'Please enter a valid email address.',
    es: 'Ingrese un correo electrónico válido.',
  },
  esign_away: {
    status: 503,
    en: 'The e-signature service is not responding. Please try again in a moment.',
    es: 'El servicio de firma electrónica no responde en este momento. Inténtelo de nuevo en un momento.',
  },
  text_number_away: {
    status: 503,
    en: "We couldn't get a text number for the practice right now. Please try again later.",
    es: 'En este momento no pudimos obtener un número de mensajes para el consultorio. Inténtelo de nuevo más tarde.',
  },
  agreement_in_preparation: {
    status: 409,
    en: 'The agreement is being prepared right now. Please try again in a minute.',
    es: 'El acuerdo se está preparando en este momento. Inténtelo de nuevo en un minuto.',
  },
  panel_fixed: {
    status: 409,
    en: 'Our team set up your practice’s panel. Write to us to change it.',
    es: 'Nuestro equipo configuró el panel de su consultorio. Escríbanos para cambiarlo.',
  },
  auto_invite_undecided: {
    status: 409,
    en: 'Some patients have already waited longer than that. Choose whether to text them now or to start with new arrivals.',
    es: 'Algunos pacientes ya esperaron más que eso. Elija si se les escribe ahora o se empieza con los que lleguen.',
  },
  agreement_signed: {
    status: 409,
    en: 'The agreement is already signed. Change the details in Settings.',
    es: 'El acuerdo ya está firmado. Cambie los datos en Ajustes.',
  },
} as const satisfies Record<string, RefusalTexts>;
