import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of forms: their settings, answers, photos, stored files and share links. */
export const formRefusals = {
  invalid_delivery_options: {
    status: 400,
    en: 'Please fix the errors in the form',
    es: 'Corrija los errores del formulario',
  },
  limited_questionnaires: {
    status: 403,
    en: 'Your practice is not confirmed yet, so patients cannot fill in your own forms. You can load and preview them. Press “Confirm your practice” at the top of the page.',
    es: 'Su consultorio aún no está confirmado, por lo que los pacientes no pueden llenar sus propios formularios. Puede cargarlos y ver una vista previa. Presione «Confirme su consultorio» en la parte superior de la página.',
  },
  file_damaged: {
    status: 503,
    en: 'The stored document no longer matches what was signed. Please tell the operator of this installation.',
    es: 'El documento guardado ya no coincide con el que se firmó. Avise al operador de esta instalación.',
  },
  not_https_address: {
    status: 400,
    en: 'Enter an address that starts with https://, such as https://yourpractice.com/privacy.',
    es: 'Ingrese una dirección que empiece con https://, por ejemplo https://suconsultorio.com/privacidad.',
  },
  form_not_found: { status: 404, en: 'We could not find that form.', es: 'No encontramos ese formulario.' },
  no_fhir_server: {
    status: 409,
    en: 'No FHIR server is set up for this installation.',
    es: 'Esta instalación no tiene configurado ningún servidor FHIR.',
  },
  answers_csv_too_long: {
    status: 409,
    en: 'A file holds at most 5,000 forms, and fewer if they are long. Choose fewer days and download several files.',
    es: 'Un archivo tiene 5,000 formularios como máximo, y menos si son largos. Elija menos días y descargue varios archivos.',
  },
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
  form_edited_meanwhile: {
    status: 409,
    en: 'Somebody else changed this form meanwhile. What you typed is still here.',
    es: 'Otra persona cambió este formulario mientras tanto. Lo que usted escribió sigue aquí.',
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
  extraction_too_large: {
    status: 422,
    en: 'The answers of this form are too much data to show or send. Please tell the person who made the form.',
    es: 'Las respuestas de este formulario son demasiados datos para mostrarlos o enviarlos. Avise a quien creó el formulario.',
  },
  answers_too_large: {
    status: 413,
    en: 'These answers are too long to save. Shorten the longest ones and continue; what you entered is still on this phone.',
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
    en: 'This photo is too large. Take another one, or choose a smaller one (20 MB at most).',
    es: 'Esta foto es demasiado grande. Tome otra o elija una más pequeña (20 MB como máximo).',
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
  files_away: {
    status: 503,
    en: 'Files cannot be saved or opened right now. Nothing was submitted; please try again in a moment.',
    es: 'En este momento no se pueden guardar ni abrir archivos. No se envió nada; inténtelo de nuevo en un momento.',
  },
  share_not_found: {
    status: 404,
    en: 'It looks like there was a problem loading these forms. Please contact support if this issue persists.',
    es: 'Parece que hubo un problema al cargar estos formularios. Comuníquese con atención al cliente si el problema continúa.',
  },
  share_over: {
    status: 410,
    // The specification's own spelling.
    en: 'It looks like your access to this form has expried. Please ask the patient to share the form again.',
    es: 'Parece que su acceso a este formulario ha vencido. Pida al paciente que lo comparta de nuevo.',
  },
} as const satisfies Record<string, RefusalTexts>;
