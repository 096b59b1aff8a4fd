import type { Language } from '#contract/refusals.ts';

/** What stands on a filed form besides its questions and answers. */
export const paperWords = {
  en: {
    patient: 'Patient',
    born: 'Date of birth',
    filledBy: 'Filled in by',
    submitted: 'Submitted',
    office: 'Practice',
    address: 'Address',
    version: 'Form and version',
    amends: 'Amends',
    yes: 'Yes',
    no: 'No',
    file: 'File',
    unknown: (type: string) => `a question of the type “${type}”, which cannot be answered here`,
    signedBy: (name: string) => `Signed by ${name}`,
    typedBy: (name: string) => `Signed by ${name}, by typing the name`,
    notCalculated: 'Not calculated: some answers are missing.',
    lacking:
      'A question mark may stand for a letter that this paper cannot print. The letters themselves are kept with the answers.',
    page: (n: number, of: number) => `Page ${n} of ${of}`,
  },
  es: {
    patient: 'Paciente',
    born: 'Fecha de nacimiento',
    filledBy: 'Llenado por',
    submitted: 'Enviado',
    office: 'Consultorio',
    address: 'Dirección',
    version: 'Formulario y versión',
    amends: 'Corrige',
    yes: 'Sí',
    no: 'No',
    file: 'Archivo',
    unknown: (type: string) => `una pregunta del tipo «${type}», que aquí no se puede responder`,
    signedBy: (name: string) => `Firmado por ${name}`,
    typedBy: (name: string) => `Firmado por ${name}, escribiendo su nombre`,
    notCalculated: 'No calculado: faltan algunas respuestas.',
    lacking:
      'Un signo de interrogación puede estar en lugar de una letra que este papel no puede imprimir. Las letras mismas se conservan con las respuestas.',
    page: (n: number, of: number) => `Página ${n} de ${of}`,
  },
} as const satisfies Record<Language, Record<string, string | ((...given: never[]) => string)>>;
