import type { BusinessType } from '#contract/merchant.ts';
import type { Language } from '#contract/shapes.ts';
import type { FieldName, FormStep } from './local-steps.ts';

/** All texts of the local hosted form. */
export interface HostedFormMessages {
  heading: string;
  demonstration: string;
  progress: (step: number) => string;
  steps: Record<FormStep, { title: string; help: string }>;
  fields: Record<FieldName, { label: string; hint?: string; error: string }>;
  businessTypes: Record<BusinessType, string>;
  choose: string;
  onFile: (lastFour: string) => string;
  wrong: string;
  back: string;
  next: string;
  submit: string;
  saved: string;
  tryOut: string;
  review: { question: string; approve: string; reject: string; leave: string };
  expireHelp: string;
  expire: string;
  closed: Record<'processing' | 'approved' | 'rejected' | 'unknown', { title: string; text: string }>;
  /** What the review needs, above the form. */
  returned: string;
  decide: { help: string; approve: string; reject: string; needMore: string };
  goBack: string;
}

export const hostedFormMessages: Record<Language, HostedFormMessages> = {
  en: {
    heading: 'Apply to take card payments',
    demonstration:
      'This is the built-in stand-in for a payment provider. It opens no account and moves no money. Please do not enter real numbers.',
    progress: (step) => `Step ${step} of 5`,
    steps: {
      consent: { title: 'Consent', help: 'Before you begin, please read and agree.' },
      business: { title: 'Your business', help: 'As on your tax papers.' },
      owner: { title: 'The owner', help: 'One person who owns or controls the business.' },
      processing: { title: 'Expected payments', help: 'Your best estimate is enough.' },
      bank: { title: 'Bank account', help: 'Where we send what your patients pay.' },
    },
    fields: {
      consent: {
        label:
          'I agree to the terms of the payment provider, and that it checks what I enter here about the business and its owner.',
        error: 'Please tick this box to go on.',
      },
      legalName: { label: 'Legal name of the business', error: 'Please enter the legal name.' },
      businessType: { label: 'Type of business', error: 'Please choose the type of business.' },
      taxId: { label: 'Tax ID (EIN)', hint: 'Nine digits', error: 'Please enter nine digits.' },
      phone: { label: 'Phone number', error: 'Please enter a US phone number with ten digits.' },
      line1: { label: 'Street address', error: 'Please enter the street address.' },
      city: { label: 'City', error: 'Please enter the city.' },
      state: { label: 'State', error: 'Please choose the state.' },
      zip: { label: 'ZIP code', error: 'Please enter a ZIP code with five digits.' },
      firstName: { label: 'First name', error: 'Please enter the first name.' },
      lastName: { label: 'Last name', error: 'Please enter the last name.' },
      title: { label: 'Title', hint: 'For example: owner, managing partner', error: 'Please enter the title.' },
      birthDate: { label: 'Date of birth', error: 'Please enter the date of birth of an adult.' },
      share: { label: 'Share of the business, in percent', error: 'Please enter a number from 1 to 100.' },
      annualVolume: { label: 'Card payments in a year, in dollars', error: 'Please enter whole dollars.' },
      averagePayment: { label: 'Average payment, in dollars', error: 'Please enter whole dollars.' },
      holder: { label: 'Name on the account', error: 'Please enter the name on the account.' },
      routing: {
        label: 'Routing number',
        hint: 'Nine digits, for example 122105278',
        error: 'Please enter a valid routing number.',
      },
      account: { label: 'Account number', error: 'Please enter 4 to 17 digits.' },
    },
    businessTypes: {
      INDIVIDUAL_SOLE_PROPRIETORSHIP: 'Sole proprietorship',
      LIMITED_LIABILITY_COMPANY: 'Limited liability company (LLC)',
      CORPORATION: 'Corporation',
      PARTNERSHIP: 'Partnership',
      TAX_EXEMPT_ORGANIZATION: 'Tax-exempt organization',
      GOVERNMENT_AGENCY: 'Government agency',
    },
    choose: 'Choose…',
    onFile: (lastFour) => `On file, ending in ${lastFour}. Leave this empty to keep it.`,
    wrong: 'Please check the marked fields.',
    back: 'Back',
    next: 'Save and continue',
    submit: 'Submit application',
    saved:
      'Each step is saved when you continue. This page closes after an hour; you can come back to where you left off.',
    tryOut: 'Demo options',
    review: {
      question: 'What should the review decide?',
      approve: 'Approve the application',
      reject: 'Reject the application',
      leave: 'Leave it in review',
    },
    expireHelp: 'See now what happens when the hour is over.',
    expire: 'Let this page expire',
    closed: {
      processing: {
        title: 'Your application is in review',
        text: 'We have everything we need. There is nothing left to do here.',
      },
      approved: { title: 'Your application is approved', text: 'Patients can pay by card now.' },
      rejected: { title: 'Your application was not approved', text: 'Go back to see what you can do next.' },
      unknown: { title: 'We do not know this link', text: 'Go back to the panel and press the button again.' },
    },
    decide: {
      help: 'End the review now, to see what happens then.',
      approve: 'Approve now',
      reject: 'Reject now',
      needMore: 'Ask for more now',
    },
    returned: 'We could not confirm the bank account. Please enter it again and submit the application once more.',
    goBack: 'Go back to the panel',
  },
  es: {
    heading: 'Solicitud para cobrar con tarjeta',
    demonstration:
      'Este es el sustituto incorporado de un proveedor de pagos. No abre ninguna cuenta ni mueve dinero. No ingrese números reales.',
    progress: (step) => `Paso ${step} de 5`,
    steps: {
      consent: { title: 'Consentimiento', help: 'Antes de empezar, lea y acepte.' },
      business: { title: 'Su empresa', help: 'Como figura en sus documentos fiscales.' },
      owner: { title: 'El propietario', help: 'Una persona que posee o controla la empresa.' },
      processing: { title: 'Pagos previstos', help: 'Basta con su mejor estimación.' },
      bank: { title: 'Cuenta bancaria', help: 'Adonde enviamos lo que pagan sus pacientes.' },
    },
    fields: {
      consent: {
        label:
          'Acepto las condiciones del proveedor de pagos y que compruebe lo que ingreso aquí sobre la empresa y su propietario.',
        error: 'Marque esta casilla para continuar.',
      },
      legalName: { label: 'Nombre legal de la empresa', error: 'Ingrese el nombre legal.' },
      businessType: { label: 'Tipo de empresa', error: 'Elija el tipo de empresa.' },
      taxId: { label: 'Número fiscal (EIN)', hint: 'Nueve dígitos', error: 'Ingrese nueve dígitos.' },
      phone: { label: 'Número de teléfono', error: 'Ingrese un número de EE. UU. de diez dígitos.' },
      line1: { label: 'Dirección', error: 'Ingrese la dirección.' },
      city: { label: 'Ciudad', error: 'Ingrese la ciudad.' },
      state: { label: 'Estado', error: 'Elija el estado.' },
      zip: { label: 'Código postal', error: 'Ingrese un código postal de cinco dígitos.' },
      firstName: { label: 'Nombre', error: 'Ingrese el nombre.' },
      lastName: { label: 'Apellido', error: 'Ingrese el apellido.' },
      title: { label: 'Cargo', hint: 'Por ejemplo: propietario, socio gerente', error: 'Ingrese el cargo.' },
      birthDate: { label: 'Fecha de nacimiento', error: 'Ingrese la fecha de nacimiento de una persona adulta.' },
      share: { label: 'Participación en la empresa, en porcentaje', error: 'Ingrese un número del 1 al 100.' },
      annualVolume: { label: 'Pagos con tarjeta al año, en dólares', error: 'Ingrese dólares enteros.' },
      averagePayment: { label: 'Pago promedio, en dólares', error: 'Ingrese dólares enteros.' },
      holder: { label: 'Nombre del titular de la cuenta', error: 'Ingrese el nombre del titular.' },
      routing: {
        label: 'Número de ruta bancaria',
        hint: 'Nueve dígitos, por ejemplo 122105278',
        error: 'Ingrese un número de ruta válido.',
      },
      account: { label: 'Número de cuenta', error: 'Ingrese de 4 a 17 dígitos.' },
    },
    businessTypes: {
      INDIVIDUAL_SOLE_PROPRIETORSHIP: 'Empresa individual',
      LIMITED_LIABILITY_COMPANY: 'Sociedad de responsabilidad limitada (LLC)',
      CORPORATION: 'Sociedad anónima',
      PARTNERSHIP: 'Sociedad de personas',
      TAX_EXEMPT_ORGANIZATION: 'Organización exenta de impuestos',
      GOVERNMENT_AGENCY: 'Organismo público',
    },
    choose: 'Elegir…',
    onFile: (lastFour) => `Guardado, termina en ${lastFour}. Déjelo vacío para conservarlo.`,
    wrong: 'Revise los campos marcados.',
    back: 'Atrás',
    next: 'Guardar y continuar',
    submit: 'Enviar la solicitud',
    saved: 'Cada paso se guarda al continuar. Esta página se cierra después de una hora; puede volver adonde la dejó.',
    tryOut: 'Opciones de la demostración',
    review: {
      question: '¿Qué debe decidir la revisión?',
      approve: 'Aprobar la solicitud',
      reject: 'Rechazar la solicitud',
      leave: 'Dejarla en revisión',
    },
    expireHelp: 'Vea ahora qué pasa cuando termina la hora.',
    expire: 'Hacer vencer esta página',
    closed: {
      processing: {
        title: 'Su solicitud está en revisión',
        text: 'Tenemos todo lo necesario. No queda nada por hacer aquí.',
      },
      approved: { title: 'Su solicitud está aprobada', text: 'Los pacientes ya pueden pagar con tarjeta.' },
      rejected: { title: 'Su solicitud no fue aprobada', text: 'Vuelva para ver qué puede hacer ahora.' },
      unknown: { title: 'No conocemos este enlace', text: 'Vuelva al panel y presione el botón de nuevo.' },
    },
    decide: {
      help: 'Termine ahora la revisión para ver qué pasa entonces.',
      approve: 'Aprobar ahora',
      reject: 'Rechazar ahora',
      needMore: 'Pedir más datos ahora',
    },
    returned: 'No pudimos confirmar la cuenta bancaria. Indíquela de nuevo y vuelva a enviar la solicitud.',
    goBack: 'Volver al panel',
  },
};
