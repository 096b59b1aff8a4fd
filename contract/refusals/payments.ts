import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of payments: cards, and the application for card payments by patients. */
export const paymentRefusals = {
  card_away: {
    status: 503,
    en: 'The card provider cannot be reached now. Try again in a moment.',
    es: 'No se puede conectar con el proveedor de tarjetas. Inténtelo de nuevo en un momento.',
  },
  merchant_submitted: {
    status: 409,
    en: 'The application for card payments was already submitted.',
    es: 'La solicitud para cobrar con tarjeta ya se envió.',
  },
  merchant_forms_busy: {
    status: 409,
    en: 'Somebody at your practice is opening this form right now. Please try again in a moment.',
    es: 'Alguien de su consultorio está abriendo este formulario ahora mismo. Inténtelo de nuevo en un momento.',
  },
  merchant_forms_away: {
    status: 503,
    en: 'There was an error getting onboarding forms url',
    es: 'Hubo un error al obtener el enlace de los formularios de solicitud',
  },
  merchant_away: {
    status: 503,
    en: 'The payment provider does not answer right now. Please try again in a moment.',
    es: 'El proveedor de pagos no responde en este momento. Inténtelo de nuevo en un momento.',
  },
  identity_not_found: {
    status: 404,
    en: 'We could not find that application at the payment provider.',
    es: 'No encontramos esa solicitud en el proveedor de pagos.',
  },
} as const satisfies Record<string, RefusalTexts>;
