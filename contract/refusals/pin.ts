import type { RefusalTexts } from '#contract/shapes.ts';

/** Refusals of a PIN. A file of their own: the panel refuses a PIN that people would guess with the same words, before it is sent. */
export const pinRefusals = {
  pin_guessable: {
    status: 400,
    en: 'That PIN is too easy to guess. Choose another one.',
    es: 'Ese PIN es muy fácil de adivinar. Elija otro.',
  },
  pin_not_here: {
    status: 409,
    en: 'This device cannot have a PIN. Sign in again in this browser, then set one.',
    es: 'Este dispositivo no puede tener un PIN. Inicie sesión de nuevo en este navegador y después cree uno.',
  },
  wrong_pin: {
    status: 400,
    en: 'Wrong PIN. After five wrong tries it’s removed.',
    es: 'PIN incorrecto. Después de cinco intentos incorrectos se elimina.',
  },
  pin_missing: {
    status: 409,
    en: 'There is no PIN for this device anymore. Unlock another way, then set a new one in Security settings.',
    es: 'Ya no hay un PIN para este dispositivo. Desbloquee de otra manera y cree uno nuevo en Ajustes, Seguridad.',
  },
} as const satisfies Record<string, RefusalTexts>;
