/** The two languages of every page, text and refusal. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
export type Words = Record<Language, string>;

/** Every "no" this product can say: its HTTP status, and the words the person reads. */
export const refusals = {
  invalid_input: {
    status: 400,
    en: 'Please check what was entered.',
    es: 'Revise los datos ingresados.',
  },
  not_signed_in: { status: 401, en: 'Please sign in again.', es: 'Inicie sesión de nuevo.' },
  session_locked: {
    status: 401,
    en: 'The panel is locked. Confirm it is you to go on.',
    es: 'El panel está bloqueado. Confirme su identidad para continuar.',
  },
  wrong_origin: {
    status: 403,
    en: 'This request came from another site and was not carried out.',
    es: 'Esta solicitud vino de otro sitio y no se realizó.',
  },
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
  wrong_signature: {
    status: 403,
    en: 'The signature of this call is missing, wrong or too old.',
    es: 'La firma de esta llamada falta, no es válida o es demasiado antigua.',
  },
  not_found: { status: 404, en: 'There is nothing here.', es: 'Aquí no hay nada.' },
  office_not_found: {
    status: 404,
    en: 'We could not find that practice.',
    es: 'No encontramos ese consultorio.',
  },
  visit_not_found: {
    status: 404,
    en: 'That patient is no longer in the queue.',
    es: 'Ese paciente ya no está en la fila.',
  },
  visit_link_ended: {
    status: 404,
    en: 'This link has ended. Please check in again or ask the front desk.',
    es: 'Este enlace ya no es válido. Regístrese de nuevo o pregunte en recepción.',
  },
  visit_moved_on: {
    status: 409,
    en: 'Someone was faster: that patient was already moved on.',
    es: 'Alguien se adelantó: ese paciente ya cambió de estado.',
  },
  visit_running: {
    status: 409,
    en: 'This patient already has a visit running today.',
    es: 'Este paciente ya tiene una visita en curso hoy.',
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
    en: 'Please enter a US mobile number with 10 digits.',
    es: 'Ingrese un número de celular de EE. UU. con 10 dígitos.',
  },
  invalid_birth_date: {
    status: 400,
    en: 'Please enter a date of birth in the past.',
    es: 'Ingrese una fecha de nacimiento en el pasado.',
  },
  empty_message: { status: 400, en: 'Please write a message first.', es: 'Primero escriba un mensaje.' },
  wrong_code: {
    status: 400,
    en: 'Incorrect confimation code',
    es: 'Código de confirmación incorrecto',
  },
  code_expired: {
    status: 400,
    en: "Code expired - click 're-send code'",
    es: 'El código venció: pulse «Reenviar código»',
  },
  code_used_up: {
    status: 400,
    en: "Too many tries with this code - click 're-send code'",
    es: 'Demasiados intentos con este código: pulse «Reenviar código»',
  },
  code_not_sent: {
    status: 503,
    en: 'We could not send your code. Please try again.',
    es: 'No pudimos enviar su código. Inténtelo de nuevo.',
  },
  too_many_tries: {
    status: 429,
    en: 'Too many tries. Please wait and try again.',
    es: 'Demasiados intentos. Espere e inténtelo de nuevo.',
  },
  too_large: { status: 413, en: 'That is too much at once.', es: 'Eso es demasiado de una vez.' },
  not_json: { status: 415, en: 'Please send this as JSON.', es: 'Envíe esto como JSON.' },
  key_reused: {
    status: 422,
    en: 'This Idempotency-Key was already used for another request.',
    es: 'Esta Idempotency-Key ya se usó para otra solicitud.',
  },
  overloaded: {
    status: 503,
    en: 'We are very busy. Please try again in a moment.',
    es: 'Estamos muy ocupados. Inténtelo de nuevo en un momento.',
  },
} as const satisfies Record<string, { status: number } & Words>;

export type RefusalCode = keyof typeof refusals;

/** Problem details (RFC 9457) `type` of a refusal: stable, callers may branch on it. */
export function problemType(code: RefusalCode | 'bug'): string {
  return `urn:anteroom:problem:${code}`;
}
