import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of payments: cards, and the application for card payments by patients. */
export const paymentRefusals = {
  card_not_verified: {
    status: 402,
    en: "We couldn't verify your payment method. Please try again or contact support.",
    es: 'No pudimos verificar su forma de pago. Inténtelo de nuevo o comuníquese con atención al cliente.',
  },
  plan_moved_on: {
    status: 409,
    en: 'Your plan has changed meanwhile. Please check it and try again.',
    es: 'Su plan cambió mientras tanto. Revíselo e inténtelo de nuevo.',
  },
  customer_missing: {
    status: 409,
    en: 'The card provider does not know your practice anymore. Reload the page.',
    es: 'El proveedor de tarjetas ya no conoce su consultorio. Vuelva a cargar la página.',
  },
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
    en: 'The payment provider is not responding. Please try again in a moment.',
    es: 'El proveedor de pagos no responde en este momento. Inténtelo de nuevo en un momento.',
  },
  identity_not_found: {
    status: 404,
    en: 'We could not find that application at the payment provider.',
    es: 'No encontramos esa solicitud en el proveedor de pagos.',
  },
  no_payments: {
    status: 409,
    en: 'Your practice cannot take card payments yet. Apply for them, or wait until your application is approved.',
    es: 'Su consultorio aún no puede cobrar con tarjeta. Solicítelo o espere a que se apruebe su solicitud.',
  },
  payment_open: {
    status: 409,
    en: 'A payment was already requested for this visit.',
    es: 'Ya se solicitó un pago para esta visita.',
  },
  amount_out_of_range: {
    status: 400,
    en: 'Enter an amount from $0.50 to $10,000.00.',
    es: 'Ingrese un importe de $0.50 a $10,000.00.',
  },
  payment_not_found: {
    status: 404,
    en: 'We could not find this payment.',
    es: 'No encontramos este pago.',
  },
  payment_not_now: {
    status: 409,
    en: 'The practice cannot take this payment now. Please ask at the front desk.',
    es: 'El consultorio no puede recibir este pago ahora. Pregunte en la recepción.',
  },
  payment_changed: {
    status: 409,
    en: 'This payment was just updated. Check it, then try again.',
    es: 'Este pago cambió. Revíselo antes de intentarlo de nuevo.',
  },
  payment_not_charged: {
    status: 409,
    en: 'This payment was not charged, so there is nothing to record.',
    es: 'Este pago no se cobró, así que no hay nada que registrar.',
  },
  void_too_late: {
    status: 409,
    en: 'Only a payment of today without refunds can be voided. Refund it instead.',
    es: 'Solo se puede anular un pago de hoy sin reembolsos. Haga un reembolso.',
  },
  csv_too_long: {
    status: 409,
    en: 'A file holds at most 20,000 transactions. Choose fewer days and download several files.',
    es: 'Un archivo tiene 20,000 transacciones como máximo. Elija menos días y descargue varios archivos.',
  },
  refund_too_large: {
    status: 409,
    en: 'That is more than is left of this payment.',
    es: 'Eso es más de lo que queda de este pago.',
  },
} as const satisfies Record<string, RefusalTexts>;
