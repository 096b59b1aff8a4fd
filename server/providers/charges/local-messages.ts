import type { Language } from '#contract/shapes.ts';

/** The texts of the local payment provider's card form. */
export const cardFormMessages = {
  en: {
    title: 'Card',
    demonstration: 'Demonstration: no money moves. Do not enter a real card. 4242 4242 4242 4242 works.',
    name: 'Cardholder Name',
    number: 'Card Number',
    expiry: 'Expiry Date',
    expiryHelp: 'MM/YY',
    cvc: 'CVC',
    pay: (amount: string) => `Pay ${amount}`,
    paying: 'Checking your card…',
    errors: {
      name: 'Field cannot be empty',
      number: 'Invalid Card Number',
      expiry: 'Invalid Expiry Date',
      cvc: 'Invalid CVC',
      busy: 'Too many tries. Please wait a few minutes.',
      noTestCard: 'Only test cards work here, such as 4242 4242 4242 4242. Nothing was charged.',
      lost: 'No connection. Nothing was charged; please try again.',
      wrong: 'The card was not accepted. Nothing was charged; please check what you entered.',
    },
  },
  es: {
    title: 'Tarjeta',
    demonstration: 'Demostración: no se mueve dinero. No ingrese una tarjeta real. 4242 4242 4242 4242 funciona.',
    name: 'Nombre del titular',
    number: 'Número de tarjeta',
    expiry: 'Fecha de vencimiento',
    expiryHelp: 'MM/AA',
    cvc: 'CVC',
    pay: (amount: string) => `Pagar ${amount}`,
    paying: 'Verificando su tarjeta…',
    errors: {
      name: 'El campo no puede estar vacío',
      number: 'Número de tarjeta no válido',
      expiry: 'Fecha de vencimiento no válida',
      cvc: 'CVC no válido',
      busy: 'Demasiados intentos. Espere unos minutos.',
      noTestCard: 'Aquí solo funcionan tarjetas de prueba, como 4242 4242 4242 4242. No se cobró nada.',
      lost: 'Sin conexión. No se cobró nada; inténtelo de nuevo.',
      wrong: 'No se aceptó la tarjeta. No se cobró nada; revise lo que ingresó.',
    },
  },
} as const satisfies Record<Language, unknown>;
