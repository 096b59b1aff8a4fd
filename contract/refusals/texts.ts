import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of texts, emails, conversations and their pictures. */
export const textingRefusals = {
  text_not_found: {
    status: 404,
    en: 'We could not find that text.',
    es: 'No encontramos ese mensaje.',
  },
  send_not_found: {
    status: 404,
    en: 'We could not find that send.',
    es: 'No encontramos ese envío.',
  },
  text_moved_on: {
    status: 409,
    en: 'This text was already sent or changed.',
    es: 'Este mensaje ya se envió o se cambió.',
  },
  after_appointment: {
    status: 409,
    en: 'This text would go out after the appointment. Choose an earlier time, or call the patient.',
    es: 'Este mensaje saldría después de la cita. Elija una hora anterior o llame al paciente.',
  },
  empty_message: { status: 400, en: 'Please write a message first.', es: 'Primero escriba un mensaje.' },
  number_not_textable: {
    status: 409,
    en: 'Only numbers in the United States can be texted. Please call this number.',
    es: 'Solo se pueden enviar mensajes a números de los Estados Unidos. Llame a este número.',
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
  too_many_messages: {
    status: 429,
    en: 'You have sent many messages. Please wait a few minutes, or talk to the front desk.',
    es: 'Envió muchos mensajes. Espere unos minutos o hable con la recepción.',
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
    es: 'Su consultorio aún no está confirmado, por lo que solo puede enviar nuestros mensajes estándar. Presione «Confirme su consultorio» en la parte superior de la página.',
  },
  limited_recipient: {
    status: 403,
    en: 'Your practice is not confirmed yet, so it can only text patients who have checked in, and its own staff. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que solo puede enviar mensajes a pacientes que se registraron y a su propio personal. Presione «Confirme su consultorio» en la parte superior de la página.',
  },
  limited_texts_per_day: {
    status: 429,
    en: 'Your practice is not confirmed yet and has sent its 50 texts for today. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado y ya envió sus 50 mensajes de hoy. Presione «Confirme su consultorio» en la parte superior de la página.',
  },
  limited_texts_everywhere: {
    status: 429,
    en: 'Your practice is not confirmed yet, and we cannot text for new practices any more today. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado y hoy ya no podemos enviar mensajes de consultorios nuevos. Toque “Confirme su consultorio” en la parte superior de la página.',
  },
  no_text_number: {
    status: 403,
    en: 'Your practice cannot send texts yet. It gets its text number when it is confirmed. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio todavía no puede enviar mensajes. Recibe su número de mensajes cuando se confirma. Presione «Confirme su consultorio» en la parte superior de la página.',
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
  conversation_not_found: {
    status: 404,
    en: 'We could not find that conversation.',
    es: 'No encontramos esa conversación.',
  },
  picture_not_found: {
    status: 404,
    en: 'We could not find that picture.',
    es: 'No encontramos esa imagen.',
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
    en: 'Too many pictures have been sent for now. Yours was not sent. Please try again later.',
    es: 'Por ahora se enviaron demasiadas imágenes. La suya no se envió. Inténtelo más tarde.',
  },
  chat_off: {
    status: 404,
    en: 'This practice has no chat on its website right now. Please call instead.',
    es: 'Este consultorio no tiene chat en su sitio web por ahora. Llame por teléfono.',
  },
  chat_ended: {
    status: 401,
    en: 'This chat has ended. You can start a new one.',
    es: 'Este chat terminó. Puede empezar uno nuevo.',
  },
  chat_blocked: {
    status: 403,
    en: 'The practice has ended this chat. Please call instead.',
    es: 'El consultorio terminó este chat. Llame por teléfono.',
  },
  visitor_blocked: {
    status: 409,
    en: 'Your practice has blocked this visitor, so nothing was sent. Unblock them to answer.',
    es: 'Su consultorio bloqueó a este visitante, por lo que no se envió nada. Desbloquéelo para responder.',
  },
  visitor_left: {
    status: 409,
    en: 'The visitor has just left, so nothing was sent yet. If you send it now, your answer goes to their phone by text, which is not secure.',
    es: 'El visitante acaba de salir, por lo que aún no se envió nada. Si lo envía ahora, su respuesta llega a su teléfono por mensaje de texto, que no es seguro.',
  },
  no_chat_codes_now: {
    status: 429,
    en: 'We can’t text codes right now. You can go on writing here without one.',
    es: 'En este momento no podemos enviar códigos. Puede seguir escribiendo aquí sin uno.',
  },
  limited_chat: {
    status: 403,
    en: 'Your practice is not confirmed yet, so its website chat cannot be turned on. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que no se puede activar el chat de su sitio web. Presione «Confirme su consultorio» en la parte superior de la página.',
  },
} as const satisfies Record<string, RefusalTexts>;

/** The refusals shared by all endpoints that send a text. */
export const textRefusals = [
  'too_many_texts',
  'too_many_texts_to_number',
  'limited_own_words',
  'limited_recipient',
  'limited_texts_per_day',
  'limited_texts_everywhere',
  'no_text_number',
] as const satisfies (keyof typeof textingRefusals)[];
