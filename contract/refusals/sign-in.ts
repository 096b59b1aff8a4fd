import type { RefusalTexts } from '#contract/shapes.ts';
import { pinRefusals } from './pin.ts';

/** Refusals of signing in: sessions, codes, passkeys, Google. */
export const signInRefusals = {
  ...pinRefusals,
  not_signed_in: { status: 401, en: 'Please sign in again.', es: 'Inicie sesión de nuevo.' },
  session_locked: {
    status: 401,
    en: 'The panel is locked. Confirm it’s you to continue.',
    es: 'El panel está bloqueado. Confirme su identidad para continuar.',
  },
  second_step_needed: {
    status: 401,
    en: 'Enter the code from your authenticator app to continue.',
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
  wrong_code: {
    status: 400,
    // The specification's own spelling.
    en: 'Incorrect confimation code',
    es: 'Código de confirmación incorrecto',
  },
  code_expired: {
    status: 400,
    en: "Code expired - click 're-send code'",
    es: 'El código venció: presione «Reenviar código»',
  },
  code_used_up: {
    status: 400,
    en: "Too many tries with this code - click 're-send code'",
    es: 'Demasiados intentos con este código: presione «Reenviar código»',
  },
  code_not_sent: {
    status: 503,
    en: 'We could not send your code. Please try again.',
    es: 'No pudimos enviar su código. Inténtelo de nuevo.',
  },
  no_codes_now: {
    status: 429,
    en: 'We can’t send codes right now. If you can, use a passkey or Google, or a device where you have signed in before.',
    es: 'En este momento no podemos enviar códigos. Si puede, use una llave de acceso, Google o un dispositivo donde ya haya iniciado sesión.',
  },
  passkey_refused: {
    status: 400,
    en: 'That passkey did not work here. Try again, or use a code.',
    es: 'Esa llave de acceso no funcionó aquí. Inténtelo de nuevo o use un código.',
  },
  too_many_passkeys: {
    status: 409,
    en: 'You already have the most passkeys you can have. Remove one first.',
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
} as const satisfies Record<string, RefusalTexts>;
