import type { Language } from '#contract/shapes.ts';

/** All texts of the local page where a card is entered. The three error texts are the specification's. */
interface CardPageMessages {
  title: string;
  demonstration: string;
  number: string;
  expiry: string;
  expiryHint: string;
  cvc: string;
  errors: { number: string; expiry: string; cvc: string; unknown: string; lost: string };
  confirm: { title: string; text: string; yes: string; no: string };
}

export const cardPageMessages: Record<Language, CardPageMessages> = {
  en: {
    title: 'Card details',
    demonstration: 'Demonstration: nobody is charged. Use a test card, such as 4242 4242 4242 4242.',
    number: 'Card Number',
    expiry: 'Expiry Date',
    expiryHint: 'MM / YY',
    cvc: 'CVC',
    errors: {
      number: 'Invalid Card Number',
      expiry: 'Invalid Expiry Date',
      cvc: 'Invalid CVC',
      unknown: 'Invalid Card Number. Please do not enter a real card here.',
      lost: 'The card provider could not be reached. Try again.',
    },
    confirm: {
      title: 'Your bank asks: is this you?',
      text: 'A real bank would ask on your phone now.',
      yes: 'Yes, confirm',
      no: 'No, refuse',
    },
  },
  es: {
    title: 'Datos de la tarjeta',
    demonstration: 'Demostración: no se cobra nada. Use una tarjeta de prueba, como 4242 4242 4242 4242.',
    number: 'Número de tarjeta',
    expiry: 'Fecha de vencimiento',
    expiryHint: 'MM / AA',
    cvc: 'CVC',
    errors: {
      number: 'Número de tarjeta no válido',
      expiry: 'Fecha de vencimiento no válida',
      cvc: 'CVC no válido',
      unknown: 'Número de tarjeta no válido. No ingrese aquí una tarjeta real.',
      lost: 'No se pudo conectar con el proveedor de tarjetas. Inténtelo de nuevo.',
    },
    confirm: {
      title: 'Su banco pregunta: ¿es usted?',
      text: 'Un banco real lo preguntaría ahora en su teléfono.',
      yes: 'Sí, confirmar',
      no: 'No, rechazar',
    },
  },
};
