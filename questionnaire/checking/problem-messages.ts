import { locales, type Language, type Translations } from '#questionnaire/language/language.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Problem } from './problems.ts';

/** What a person reads where an answer is missing or wrong; `{n}` is the problem's detail. */
const problemMessages = {
  required: { en: 'Please answer this question.', es: 'Responda esta pregunta.' },
  not_signed: { en: 'Please sign here.', es: 'Firme aquí.' },
  no_photo: { en: 'Please take or choose a photo.', es: 'Tome o elija una foto.' },
  blank: { en: 'Nothing has been answered yet.', es: 'Todavía no se ha respondido nada.' },
  too_few: { en: 'Please give at least {n} answers.', es: 'Dé al menos {n} respuestas.' },
  too_many: { en: 'You can add up to {n}.', es: 'Puede agregar hasta {n}.' },
  too_short: { en: 'Please use at least {n} characters.', es: 'Use al menos {n} caracteres.' },
  too_long: { en: 'Please use no more than {n} characters.', es: 'Use como máximo {n} caracteres.' },
  too_low: { en: 'Please enter {n} or more.', es: 'Ingrese {n} o más.' },
  too_high: { en: 'Please enter {n} or less.', es: 'Ingrese {n} o menos.' },
  too_early: { en: 'Please enter {n} or later.', es: 'Ingrese {n} o después.' },
  too_late: { en: 'Please enter {n} or earlier.', es: 'Ingrese {n} o antes.' },
  implausible_year: {
    en: 'Please check the year: {n} is too long ago.',
    es: 'Revise el año: {n} es demasiado antiguo.',
  },
  before_birth: {
    en: 'Please check the date: it is before the date of birth.',
    es: 'Revise la fecha: es anterior a la fecha de nacimiento.',
  },
  not_feet_and_inches: {
    en: 'Please enter feet, and inches from 0 to 11.',
    es: 'Ingrese los pies, y las pulgadas de 0 a 11.',
  },
  not_a_number: { en: 'Please enter a number.', es: 'Ingrese un número.' },
  not_a_whole_number: {
    en: 'Please enter a whole number, without decimals.',
    es: 'Ingrese un número entero, sin decimales.',
  },
  too_many_decimals: {
    en: 'Please use no more than {n} decimal places.',
    es: 'Use como máximo {n} decimales.',
  },
  not_a_date: { en: 'Please enter a date that exists.', es: 'Ingrese una fecha que exista.' },
  not_a_month: {
    en: 'Please enter the month and all four digits of the year.',
    es: 'Ingrese el mes y los cuatro dígitos del año.',
  },
  not_a_year: { en: 'Please enter all four digits of the year.', es: 'Ingrese los cuatro dígitos del año.' },
  not_a_date_time: { en: 'Please enter a date and a time.', es: 'Ingrese una fecha y una hora.' },
  not_a_time: { en: 'Please enter a time of day.', es: 'Ingrese una hora del día.' },
  not_an_address: {
    en: 'Please enter a web address, such as https://example.org.',
    es: 'Ingrese una dirección web, por ejemplo https://example.org.',
  },
  wrong_pattern: {
    en: 'Please check the format of this answer.',
    es: 'Revise el formato de esta respuesta.',
  },
  wrong_characters: {
    en: 'This answer has characters we can’t save. Please type it again.',
    es: 'Esta respuesta tiene caracteres que no podemos guardar. Escríbala de nuevo.',
  },
  not_an_option: { en: 'Please choose one of the answers shown.', es: 'Elija una de las respuestas que se muestran.' },
  said_twice: { en: 'This answer is there twice.', es: 'Esta respuesta está dos veces.' },
  only_alone: {
    en: 'If you choose this answer, please don’t choose others.',
    es: 'Si elige esta respuesta, no elija otras.',
  },
  wrong_unit: { en: 'Please choose a unit: {n}.', es: 'Elija una unidad: {n}.' },
  wrong_file_type: {
    en: 'We can’t use this kind of file. Please choose one of these: {n}.',
    es: 'No podemos usar este tipo de archivo. Elija uno de estos: {n}.',
  },
  file_too_big: { en: 'This file is larger than {n} MB.', es: 'Este archivo supera los {n} MB.' },
  files_too_big: {
    en: 'The photos of this form are larger than {n} MB together. Please remove photos here, or take fewer.',
    es: 'Las fotos de este formulario superan los {n} MB en total. Quite fotos aquí o tome menos.',
  },
  constraint: { en: 'Please check this answer.', es: 'Revise esta respuesta.' },
  wrong_kind: { en: 'Please answer this question again.', es: 'Responda esta pregunta de nuevo.' },
  not_asked: {
    en: 'This question is no longer part of the form, so we can’t save its answer.',
    es: 'Esta pregunta ya no es parte del formulario, así que no podemos guardar su respuesta.',
  },
  no_such_item: {
    en: 'This answer belongs to another version of the form.',
    es: 'Esta respuesta pertenece a otra versión del formulario.',
  },
} as const satisfies Record<ProblemCode, Translations>;

/** A problem's message in that language, with its limit formatted for people. */
export function problemMessage({ code, detail = '', message }: Problem, language: Language): string {
  if (message) return message[language];
  return problemMessages[code][language].replace('{n}', () => formatDetail(detail, language));
}

function formatDetail(detail: string | number, language: Language): string {
  if (typeof detail === 'number') return detail.toLocaleString(locales[language]);
  if (!/^\d{4}-\d\d(-\d\d)?$/.test(detail)) return detail;
  const parts = detail.length === 7 ? ({ year: 'numeric', month: 'long' } as const) : ({ dateStyle: 'long' } as const);
  return new Date(detail).toLocaleDateString(locales[language], { ...parts, timeZone: 'UTC' });
}
