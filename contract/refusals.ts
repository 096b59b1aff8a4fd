import type { Translations } from './shapes.ts';

/** Every refusal this product can answer with: its HTTP status, and the text the person reads. */
export const refusals = {
  invalid_input: {
    status: 400,
    en: 'Please check what was entered.',
    es: 'Revise los datos ingresados.',
  },
  nested_too_deep: {
    status: 400,
    en: 'This request has lists or objects inside one another more than 50 levels deep. Flatten it and send it again.',
    es: 'Esta solicitud tiene listas u objetos anidados en más de 50 niveles. Simplifíquela y envíela de nuevo.',
  },
  not_signed_in: { status: 401, en: 'Please sign in again.', es: 'Inicie sesión de nuevo.' },
  session_locked: {
    status: 401,
    en: 'The panel is locked. Confirm it is you to go on.',
    es: 'El panel está bloqueado. Confirme su identidad para continuar.',
  },
  second_step_needed: {
    status: 401,
    en: 'Enter the code of your authenticator app to go on.',
    es: 'Ingrese el código de su aplicación de autenticación para continuar.',
  },
  proof_needed: {
    status: 403,
    en: 'Please confirm it is you, then try again.',
    es: 'Confirme su identidad e inténtelo de nuevo.',
  },
  authenticator_missing: {
    status: 403,
    en: 'Set up an authenticator app first.',
    es: 'Primero configure una aplicación de autenticación.',
  },
  wrong_origin: {
    status: 403,
    en: 'This request came from another site and was not carried out.',
    es: 'Esta solicitud vino de otro sitio y no se realizó.',
  },
  wrong_host: {
    status: 403,
    en: 'The demo’s pages open only at the address in PUBLIC_URL, or at localhost.',
    es: 'Las páginas de la demostración solo se abren en la dirección de PUBLIC_URL o en localhost.',
  },
  proxy_not_set_up: {
    status: 403,
    en: 'This request came through a proxy. To show the demo’s pages behind one, set PUBLIC_URL to the address people use and TRUST_PROXY to the proxy’s own address.',
    es: 'Esta solicitud llegó por un proxy. Para mostrar las páginas de la demostración detrás de él, ponga en PUBLIC_URL la dirección que usa la gente y en TRUST_PROXY la dirección del proxy.',
  },
  wrong_operator_host: {
    status: 403,
    en: 'The operator’s port answers only under an IP address, localhost, a name without dots, or the names in OPERATOR_HOST and PUBLIC_URL.',
    es: 'El puerto del operador solo responde bajo una dirección IP, localhost, un nombre sin puntos o los nombres de OPERATOR_HOST y PUBLIC_URL.',
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
  link_not_proved: {
    status: 403,
    en: 'Please open the link in the text message we sent you. This page only shows how the visit stands.',
    es: 'Abra el enlace del mensaje de texto que le enviamos. Esta página solo muestra cómo va la visita.',
  },
  visit_moved_on: {
    status: 409,
    en: 'Someone already updated this patient.',
    es: 'Alguien ya actualizó a este paciente.',
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
    en: 'Please enter a 10-digit mobile number from the United States or its territories.',
    es: 'Ingrese un número de celular de 10 dígitos de Estados Unidos o sus territorios.',
  },
  invalid_birth_date: {
    status: 400,
    en: 'Please enter a date of birth in the past.',
    es: 'Ingrese una fecha de nacimiento en el pasado.',
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
    en: 'A practice with this NPI is here already.',
    es: 'Ya hay un consultorio con este NPI.',
  },
  invalid_delivery_options: {
    status: 400,
    en: 'Please fix the errors in the form',
    es: 'Corrija los errores del formulario',
  },
  text_not_found: {
    status: 404,
    en: 'We could not find that text.',
    es: 'No encontramos ese mensaje.',
  },
  text_moved_on: {
    status: 409,
    en: 'This text was already sent or changed.',
    es: 'Este mensaje ya se envió o se cambió.',
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
  passkey_refused: {
    status: 400,
    en: 'That passkey did not work here. Try again, or use a code.',
    es: 'Esa llave de acceso no funcionó aquí. Inténtelo de nuevo o use un código.',
  },
  too_many_passkeys: {
    status: 409,
    en: 'You have as many passkeys as can be kept. Remove one first.',
    es: 'Ya tiene el máximo de llaves de acceso. Primero quite una.',
  },
  google_consent_refused: {
    status: 400,
    en: 'Google was not allowed to tell us who you are. Try again, or use a code.',
    es: 'No se permitió que Google nos dijera quién es usted. Inténtelo de nuevo o use un código.',
  },
  google_refused: {
    status: 400,
    en: 'Signing in with Google did not work. Start again, or use a code.',
    es: 'No se pudo iniciar sesión con Google. Empiece de nuevo o use un código.',
  },
  google_email_unverified: {
    status: 400,
    en: 'Google has not verified that email address. Sign in with a code instead.',
    es: 'Google no ha verificado ese correo electrónico. Inicie sesión con un código.',
  },
  google_unavailable: {
    status: 503,
    en: 'Google cannot be reached right now. Sign in with a code, or try again.',
    es: 'No se puede contactar a Google en este momento. Inicie sesión con un código o inténtelo de nuevo.',
  },
  too_many_tries: {
    status: 429,
    en: 'Too many tries. Please wait and try again.',
    es: 'Demasiados intentos. Espere e inténtelo de nuevo.',
  },
  too_many_texts: {
    status: 429,
    en: 'Your practice has sent too many texts in the last hour. Nothing was sent.',
    es: 'Su consultorio envió demasiados mensajes en la última hora. No se envió nada.',
  },
  too_many_texts_to_number: {
    status: 429,
    en: 'This phone number has gotten too many texts. Nothing was sent.',
    es: 'Este número de teléfono recibió demasiados mensajes. No se envió nada.',
  },
  too_many_link_texts: {
    status: 429,
    en: 'We cannot text the link of this visit right now, so no text was sent. Open an earlier text from this practice, or tell the front desk.',
    es: 'En este momento no podemos enviar el enlace de esta visita, por lo que no se envió ningún mensaje. Abra un mensaje anterior de este consultorio o avise en recepción.',
  },
  too_many_emails: {
    status: 429,
    en: 'Your practice has sent too many emails. Nothing was sent.',
    es: 'Su consultorio envió demasiados correos. No se envió nada.',
  },
  too_many_emails_to_address: {
    status: 429,
    en: 'This email address has gotten too many emails. Nothing was sent.',
    es: 'Esta dirección de correo recibió demasiados mensajes. No se envió nada.',
  },
  limited_own_words: {
    status: 403,
    en: 'Your practice is not confirmed yet, so it can only send our standard texts. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que solo puede enviar nuestros mensajes estándar. Toque “Confirme su consultorio” en la parte superior de la página.',
  },
  limited_recipient: {
    status: 403,
    en: 'Your practice is not confirmed yet, so it can only text patients who have checked in, and its own staff. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que solo puede enviar mensajes a pacientes que se registraron y a su propio personal. Toque “Confirme su consultorio” en la parte superior de la página.',
  },
  limited_phone_invitation: {
    status: 403,
    en: 'Your practice is not confirmed yet, so it can invite colleagues by email only. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que solo puede invitar a colegas por correo electrónico. Toque “Confirme su consultorio” en la parte superior de la página.',
  },
  limited_texts_per_day: {
    status: 429,
    en: 'Your practice is not confirmed yet and has sent its 50 texts for today. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado y ya envió sus 50 mensajes de hoy. Toque “Confirme su consultorio” en la parte superior de la página.',
  },
  no_text_number: {
    status: 403,
    en: 'Your practice cannot send texts yet. It gets its text number when it is confirmed. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio todavía no puede enviar mensajes. Recibe su número de mensajes cuando se confirma. Toque “Confirme su consultorio” en la parte superior de la página.',
  },
  limited_questionnaires: {
    status: 403,
    en: 'Your practice is not confirmed yet, so patients cannot fill in your own forms. You can load and preview them. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que los pacientes no pueden llenar sus propios formularios. Puede cargarlos y ver una vista previa. Toque “Confirme su consultorio” en la parte superior de la página.',
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
    en: 'This person belongs to the practice already.',
    es: 'Esta persona ya pertenece al consultorio.',
  },
  colleague_not_found: {
    status: 404,
    en: 'That person does not belong to the practice any more.',
    es: 'Esa persona ya no pertenece al consultorio.',
  },
  last_colleague: {
    status: 409,
    en: 'Somebody must be left: the last person of a practice cannot be removed.',
    es: 'Alguien debe quedar: no se puede quitar a la última persona de un consultorio.',
  },
  invitation_over: {
    status: 404,
    en: 'This invitation has ended or was taken back. Ask the practice for a new one.',
    es: 'Esta invitación terminó o fue retirada. Pida una nueva al consultorio.',
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
    en: 'This browser names a push service we do not send to.',
    es: 'Este navegador indica un servicio de avisos al que no enviamos.',
  },
  invalid_email: {
    status: 400,
    en: 'Please enter a valid email address.',
    es: 'Ingrese un correo electrónico válido.',
  },
  esign_away: {
    status: 503,
    en: 'The e-signature service does not answer right now. Please try again in a moment.',
    es: 'El servicio de firma electrónica no responde en este momento. Inténtelo de nuevo en un momento.',
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
    en: 'The payment provider does not answer right now. Please try again in a moment.',
    es: 'El proveedor de pagos no responde en este momento. Inténtelo de nuevo en un momento.',
  },
  identity_not_found: {
    status: 404,
    en: 'We could not find that application at the payment provider.',
    es: 'No encontramos esa solicitud en el proveedor de pagos.',
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
  agreement_signed: {
    status: 409,
    en: 'The agreement is signed by now. Change the details in Settings.',
    es: 'El acuerdo ya está firmado. Cambie los datos en Ajustes.',
  },
  number_opted_out: {
    status: 409,
    en: 'This number opted out of our texts (STOP). Nothing was sent: please call, or use another number.',
    es: 'Este número pidió no recibir más mensajes de ustedes (STOP). No se envió nada: llame por teléfono o use otro número.',
  },
  number_is_landline: {
    status: 409,
    en: 'This is a landline and cannot get texts. Nothing was sent: please call, or use another number.',
    es: 'Es un teléfono fijo y no puede recibir mensajes. No se envió nada: llame por teléfono o use otro número.',
  },
  already_texted: {
    status: 409,
    en: 'Everybody on this list has a text for that day already. Nothing was sent.',
    es: 'Todas las personas de esta lista ya tienen un mensaje para ese día. No se envió nada.',
  },
  file_damaged: {
    status: 503,
    en: 'The stored document is not what was signed any more. Please tell the operator of this installation.',
    es: 'El documento guardado ya no es el que se firmó. Avise al operador de esta instalación.',
  },
  form_not_found: { status: 404, en: 'That form is not here.', es: 'Ese formulario no está aquí.' },
  conversation_not_found: {
    status: 404,
    en: 'That conversation is not here.',
    es: 'Esa conversación no está aquí.',
  },
  patient_not_found: { status: 404, en: 'We do not know that patient.', es: 'No conocemos a ese paciente.' },
  form_changed: {
    status: 409,
    en: 'This form was changed on another phone.',
    es: 'Este formulario se cambió en otro teléfono.',
  },
  form_submitted: {
    status: 409,
    en: 'This form was already submitted.',
    es: 'Este formulario ya se envió.',
  },
  form_outdated: {
    status: 409,
    en: 'The practice has a newer version of this form. Open it again; what fits stays filled in.',
    es: 'El consultorio tiene una versión más nueva de este formulario. Ábralo de nuevo; lo que coincida seguirá lleno.',
  },
  form_in_use: {
    status: 409,
    en: 'This form is still on the list of forms you ask for. Take it off the list and save, then remove it.',
    es: 'Este formulario sigue en la lista de los que usted pide. Quítelo de la lista y guarde; después elimínelo.',
  },
  form_incomplete: {
    status: 422,
    en: 'Something is still missing in this form.',
    es: 'Todavía falta algo en este formulario.',
  },
  form_too_slow: {
    status: 422,
    en: 'Checking this form takes too long, so it was not submitted. What you entered is saved. Please tell the front desk.',
    es: 'Revisar este formulario tarda demasiado, así que no se envió. Lo que ingresó está guardado. Avise en recepción.',
  },
  answers_too_large: {
    status: 413,
    en: 'These answers are too long to save. Shorten the longest ones and go on; what you entered is still on this phone.',
    es: 'Estas respuestas son demasiado largas para guardarlas. Acorte las más largas y continúe; lo que ingresó sigue en este teléfono.',
  },
  too_many_saves: {
    status: 429,
    en: 'This form was saved too often in the last hour. What you entered is still on this phone: keep this page open and try again later, or tell the front desk.',
    es: 'Este formulario se guardó demasiadas veces en la última hora. Lo que ingresó sigue en este teléfono: deje abierta esta página e inténtelo más tarde, o avise en recepción.',
  },
  answers_unreadable: {
    status: 400,
    en: 'These answers do not belong to this form.',
    es: 'Estas respuestas no corresponden a este formulario.',
  },
  photo_too_large: {
    status: 413,
    en: 'This photo is too large. Take it again, or send a smaller one (20 MB at most).',
    es: 'Esta foto es demasiado grande. Tómela de nuevo o envíe una más pequeña (20 MB como máximo).',
  },
  photo_heic: {
    status: 415,
    en: 'This photo is in the HEIC format, which we cannot read. Take it with the camera here, or send a JPEG.',
    es: 'Esta foto está en formato HEIC, que no podemos leer. Tómela aquí con la cámara o envíe un JPEG.',
  },
  photo_unreadable: {
    status: 415,
    en: 'We could not read this as a photo. Please send a JPEG, PNG or WebP picture.',
    es: 'No pudimos leer esto como una foto. Envíe una imagen JPEG, PNG o WebP.',
  },
  signature_blank: {
    status: 415,
    en: 'Nothing is drawn here yet. Please sign with your finger, or type your name.',
    es: 'Aquí todavía no hay nada dibujado. Firme con el dedo o escriba su nombre.',
  },
  picture_too_large: {
    status: 413,
    en: 'This picture is too large. Send one of 10 MB at most.',
    es: 'Esta imagen es demasiado grande. Envíe una de 10 MB como máximo.',
  },
  picture_unreadable: {
    status: 415,
    en: 'We could not read this file as a picture. Send a PNG or JPEG picture.',
    es: 'No pudimos leer este archivo como imagen. Envíe una imagen PNG o JPEG.',
  },
  too_many_pictures: {
    status: 429,
    en: 'Your practice has sent as many pictures as it can for now. Nothing was sent. Please try again later.',
    es: 'Su consultorio ya envió todas las imágenes que puede por ahora. No se envió nada. Inténtelo más tarde.',
  },
  files_away: {
    status: 503,
    en: 'Files cannot be kept or read right now. Nothing was filed; please try again in a moment.',
    es: 'En este momento no se pueden guardar ni leer archivos. No se archivó nada; inténtelo de nuevo en un momento.',
  },
  share_not_found: {
    status: 404,
    en: 'It looks like there was a problem loading these forms. Please contact support if this issue persists.',
    es: 'Parece que hubo un problema al cargar estos formularios. Comuníquese con soporte si el problema continúa.',
  },
  share_over: {
    status: 410,
    en: 'It looks like your access to this form has expried. Please ask the patient to share the form again.',
    es: 'Parece que su acceso a este formulario ha vencido. Pida al paciente que lo comparta de nuevo.',
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
} as const satisfies Record<string, { status: number } & Translations>;

export type RefusalCode = keyof typeof refusals;

/** The refusals shared by all endpoints that send a text. */
export const textRefusals = [
  'too_many_texts',
  'too_many_texts_to_number',
  'limited_own_words',
  'limited_recipient',
  'limited_texts_per_day',
  'no_text_number',
] as const satisfies RefusalCode[];

/** Problem details (RFC 9457) `type` of a refusal. It is stable, so callers may branch on it. */
export function problemType(code: RefusalCode | 'bug'): string {
  return `urn:anteroom:problem:${code}`;
}
