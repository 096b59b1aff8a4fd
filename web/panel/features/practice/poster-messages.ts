/** The poster's texts, in both languages at once. */
export const posterMessages = {
  en: {
    title: 'Check in here',
    steps: [
      'Point your phone camera at the code.',
      'Tell us who is here.',
      'Wait in your car. We’ll text you when it’s your turn.',
    ],
    orType: 'Or open this address',
  },
  es: {
    title: 'Regístrese aquí',
    steps: [
      'Apunte la cámara del teléfono al código.',
      'Díganos quién viene.',
      'Espere en su auto. Le enviaremos un mensaje cuando sea su turno.',
    ],
    orType: 'O abra esta dirección',
  },
} as const;
