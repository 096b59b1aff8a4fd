import type { Language } from '#contract/shapes.ts';

interface ReminderDetails {
  product: string;
  office: string;
  url: string;
  /** From 1 to 4; the email says that the fourth is the last. */
  number: number;
}

/** The reminder to a practice that has not signed. Its link does not sign anybody in. */
export const reminderEmail: Record<Language, (details: ReminderDetails) => { subject: string; text: string }> = {
  en: ({ product, office, url, number }) => ({
    subject: `${office}: one signature and ${product} is ready`,
    text: [
      `${office} is registered with ${product}, and the HIPAA business associate agreement is not signed yet.`,
      'Until it is, no patient can check in and no patient data can be shown. Reading and signing takes about three minutes, on any computer or phone.',
      `Sign in here and pick up where you left off: ${url}`,
      ...(number === 4 ? ['This is our last reminder. The registration stays, and you can sign at any time.'] : []),
      'If you did not register this practice, you can ignore this message.',
    ].join('\n\n'),
  }),
  es: ({ product, office, url, number }) => ({
    subject: `${office}: falta una firma y ${product} está listo`,
    text: [
      `${office} está registrado en ${product}, y el acuerdo HIPAA de asociado comercial aún no está firmado.`,
      'Hasta entonces ningún paciente puede registrarse ni se pueden mostrar datos de pacientes. Leerlo y firmarlo toma unos tres minutos, en cualquier computadora o teléfono.',
      `Inicie sesión aquí y continúe donde se quedó: ${url}`,
      ...(number === 4
        ? ['Este es nuestro último recordatorio. El registro se conserva y puede firmar en cualquier momento.']
        : []),
      'Si usted no registró este consultorio, puede ignorar este mensaje.',
    ].join('\n\n'),
  }),
};
