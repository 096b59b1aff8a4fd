import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of requests as such, whatever they ask for. */
export const requestRefusals = {
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
  wrong_signature: {
    status: 403,
    en: 'The signature of this call is missing, wrong or too old.',
    es: 'La firma de esta llamada falta, no es válida o es demasiado antigua.',
  },
  not_found: { status: 404, en: 'There is nothing here.', es: 'Aquí no hay nada.' },
  too_many_tries: {
    status: 429,
    en: 'Too many tries. Please wait and try again.',
    es: 'Demasiados intentos. Espere e inténtelo de nuevo.',
  },
  too_large: {
    status: 413,
    en: 'This is too large to send at once.',
    es: 'Es demasiado grande para enviarlo de una vez.',
  },
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
} as const satisfies Record<string, RefusalTexts>;
