import type { Language } from '#contract/shapes.ts';
import type { ClosedPage } from './local-signing.ts';

/** All texts of the local signing page. */
export interface SigningPageMessages {
  heading: string;
  demonstration: string;
  document: string;
  documentHelp: string;
  openPdf: string;
  yourSignature: string;
  name: string;
  nameHelp: string;
  how: string;
  type: string;
  draw: string;
  typedHelp: string;
  drawnHelp: string;
  pad: string;
  clear: string;
  consent: string;
  sign: string;
  signing: string;
  decline: string;
  declineHelp: string;
  reason: string;
  declineNow: string;
  tryOut: string;
  expireHelp: string;
  expireNow: string;
  signedInAs: (who: string) => string;
  until: string;
  errors: { name: string; drawing: string; consent: string; lost: string };
  /** In the panel's frame, which then goes on by itself. */
  signed: { title: string; text: string };
  /** In a tab of its own. */
  signedAlone: { title: string; text: string };
  closed: Record<ClosedPage, { title: string; text: string }>;
}

export const signingPageMessages: Record<Language, SigningPageMessages> = {
  en: {
    heading: 'Sign electronically',
    demonstration:
      'This is the built-in signing of this installation. Its certificate is a demonstration: every later change to the file shows, but it is not a qualified electronic signature.',
    document: 'The document',
    documentHelp: 'This is the text of the PDF you are signing.',
    openPdf: 'Open the PDF',
    yourSignature: 'Your signature',
    name: 'Your full name',
    nameHelp: 'As it should appear under the document.',
    how: 'How do you want to sign?',
    type: 'Type it',
    draw: 'Draw it',
    typedHelp: 'Your name above, written like this:',
    drawnHelp: 'With a finger, pen or mouse. With a keyboard, choose “Type it”: it counts the same.',
    pad: 'Field for your drawn signature',
    clear: 'Clear',
    consent:
      'I have read the document, I am authorized to sign it for the practice, and I agree to sign it electronically.',
    sign: 'Sign',
    signing: 'Signing…',
    decline: 'Decline to sign',
    declineHelp: 'Nobody can use the panel until someone signs. You can ask for a new document at any time.',
    reason: 'Why not? (optional)',
    declineNow: 'Decline to sign',
    tryOut: 'Demo options',
    expireHelp: 'A request that nobody signs expires after 30 days. See what happens then.',
    expireNow: 'Let this request expire',
    signedInAs: (who) => `Signed in as ${who}`,
    until: 'This page can be used for an hour.',
    errors: {
      name: 'Please enter your full name.',
      drawing: 'Please draw your signature, or choose “Type it”.',
      consent: 'Please tick this box to sign.',
      lost: 'That was not sent. Please try again.',
    },
    signed: {
      title: 'Signed. Thank you!',
      text: 'Taking you to your queue…',
    },
    signedAlone: {
      title: 'Signed. Thank you!',
      text: 'You can close this tab. Your queue opens where you started.',
    },
    closed: {
      unknown: {
        title: 'This link does not work',
        text: 'Go back to the panel and press the button for signing again.',
      },
      used: {
        title: 'This link was opened already',
        text: 'Each link opens once. Go back to the panel and press the button for signing again: you get a new one.',
      },
      late: {
        title: 'This link has expired',
        text: 'A link is good for an hour. Go back to the panel and press the button for signing again.',
      },
      signed: { title: 'This document is signed', text: 'There is nothing left to do here. You can close this page.' },
      declined: {
        title: 'Signing was declined',
        text: 'Go back to the panel to ask for a new document, whenever you are ready.',
      },
      expired: {
        title: 'This request has expired',
        text: 'It was not signed in time. Go back to the panel to ask for a new one.',
      },
      canceled: {
        title: 'This request was canceled',
        text: 'Another one may have taken its place. Go back to the panel and press the button for signing again.',
      },
    },
  },
  es: {
    heading: 'Firmar electrónicamente',
    demonstration:
      'Esta es la firma incorporada de esta instalación. Su certificado es una demostración: se nota cualquier cambio posterior del archivo, pero no es una firma electrónica calificada.',
    document: 'El documento',
    documentHelp: 'Este es el texto del PDF que firma. El texto legal está en inglés.',
    openPdf: 'Abrir el PDF',
    yourSignature: 'Su firma',
    name: 'Su nombre completo',
    nameHelp: 'Como debe figurar al pie del documento.',
    how: '¿Cómo desea firmar?',
    type: 'Escribirla',
    draw: 'Dibujarla',
    typedHelp: 'Su nombre de arriba, escrito así:',
    drawnHelp: 'Con el dedo, un lápiz o el mouse. Con el teclado, elija «Escribirla»: vale lo mismo.',
    pad: 'Espacio para dibujar su firma',
    clear: 'Borrar',
    consent:
      'He leído el documento, tengo autorización para firmarlo en nombre del consultorio y acepto firmarlo electrónicamente.',
    sign: 'Firmar',
    signing: 'Firmando…',
    decline: 'No firmar',
    declineHelp:
      'Nadie puede usar el panel hasta que alguien firme. Se puede pedir un documento nuevo en cualquier momento.',
    reason: '¿Por qué no? (opcional)',
    declineNow: 'Rechazar la firma',
    tryOut: 'Opciones de la demostración',
    expireHelp: 'Una solicitud que nadie firma vence a los 30 días. Vea ahora qué pasa entonces.',
    expireNow: 'Dejar vencer esta solicitud',
    signedInAs: (who) => `Sesión iniciada como ${who}`,
    until: 'Esta página puede usarse durante una hora.',
    errors: {
      name: 'Ingrese su nombre completo.',
      drawing: 'Dibuje su firma o elija «Escribirla».',
      consent: 'Marque esta casilla para firmar.',
      lost: 'No se envió. Inténtelo de nuevo.',
    },
    signed: {
      title: 'Firmado. ¡Gracias!',
      text: 'Le llevamos a su fila…',
    },
    signedAlone: {
      title: 'Firmado. ¡Gracias!',
      text: 'Puede cerrar esta pestaña. Su fila se abre donde empezó.',
    },
    closed: {
      unknown: { title: 'Este enlace no funciona', text: 'Vuelva al panel y presione de nuevo el botón para firmar.' },
      used: {
        title: 'Este enlace ya se abrió',
        text: 'Cada enlace se abre una sola vez. Vuelva al panel y presione de nuevo el botón para firmar: recibirá uno nuevo.',
      },
      late: {
        title: 'Este enlace venció',
        text: 'Un enlace vale una hora. Vuelva al panel y presione de nuevo el botón para firmar.',
      },
      signed: { title: 'Este documento está firmado', text: 'No queda nada por hacer aquí. Puede cerrar esta página.' },
      declined: {
        title: 'La firma fue rechazada',
        text: 'Vuelva al panel para pedir un documento nuevo cuando lo desee.',
      },
      expired: {
        title: 'Esta solicitud venció',
        text: 'No se firmó a tiempo. Vuelva al panel para pedir una nueva.',
      },
      canceled: {
        title: 'Esta solicitud se canceló',
        text: 'Quizá otra ocupó su lugar. Vuelva al panel y presione de nuevo el botón para firmar.',
      },
    },
  },
};
