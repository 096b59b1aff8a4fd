import { locales, type Language, type Translations } from '#questionnaire/language/language.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Problem } from './problems.ts';

/** What a person reads where an answer is missing or wrong; `{n}` is the problem's detail. */
const problemWords = {
  required: { en: 'Please answer this question.', es: 'Responda esta pregunta.' },
  not_signed: { en: 'Please sign here.', es: 'Firme aquí.' },
  blank: { en: 'Nothing has been answered yet.', es: 'Todavía no se ha respondido nada.' },
  too_few: { en: 'Please give at least {n} answers.', es: 'Dé al menos {n} respuestas.' },
  too_many: { en: 'Please give no more than {n}.', es: 'No dé más de {n}.' },
  too_short: { en: 'Please use at least {n} characters.', es: 'Use al menos {n} caracteres.' },
  too_long: { en: 'Please use no more than {n} characters.', es: 'Use como máximo {n} caracteres.' },
  too_low: { en: 'The lowest possible answer is {n}.', es: 'El valor más bajo posible es {n}.' },
  too_high: { en: 'The highest possible answer is {n}.', es: 'El valor más alto posible es {n}.' },
  too_early: { en: 'Please enter {n} or later.', es: 'Ingrese {n} o después.' },
  too_late: { en: 'Please enter {n} or earlier.', es: 'Ingrese {n} o antes.' },
  implausible_year: {
    en: 'Please check the year: {n} is too long ago.',
    es: 'Revise el año: {n} es demasiado antiguo.',
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
    en: 'Please use no more than {n} digits after the point.',
    es: 'Use como máximo {n} cifras después del punto.',
  },
  not_a_date: { en: 'Please enter a date that exists.', es: 'Ingrese una fecha que exista.' },
  not_a_date_time: { en: 'Please enter a date and a time.', es: 'Ingrese una fecha y una hora.' },
  not_a_time: { en: 'Please enter a time of day.', es: 'Ingrese una hora del día.' },
  not_an_address: {
    en: 'Please enter a web address, such as https://example.org.',
    es: 'Ingrese una dirección web, por ejemplo https://example.org.',
  },
  wrong_pattern: {
    en: 'Please check this answer: it is not in the expected form.',
    es: 'Revise esta respuesta: no tiene el formato esperado.',
  },
  wrong_characters: {
    en: 'This answer contains characters that cannot be kept. Please type it again.',
    es: 'Esta respuesta contiene caracteres que no se pueden guardar. Escríbala de nuevo.',
  },
  not_an_option: { en: 'Please choose one of the answers shown.', es: 'Elija una de las respuestas que se muestran.' },
  said_twice: { en: 'This answer was given twice.', es: 'Esta respuesta se dio dos veces.' },
  only_alone: {
    en: 'This answer cannot be combined with others.',
    es: 'Esta respuesta no se puede combinar con otras.',
  },
  wrong_unit: { en: 'Please choose a unit: {n}.', es: 'Elija una unidad: {n}.' },
  wrong_file_type: {
    en: 'This kind of file cannot be taken. Possible: {n}.',
    es: 'Este tipo de archivo no se puede recibir. Posibles: {n}.',
  },
  file_too_big: { en: 'This file is larger than {n} MB.', es: 'Este archivo supera los {n} MB.' },
  files_too_big: {
    en: 'The photos of this form are larger than {n} MB together. Please remove photos here, or take fewer.',
    es: 'Las fotos de este formulario superan los {n} MB en total. Quite fotos aquí o tome menos.',
  },
  wrong_kind: { en: 'Please answer this question again.', es: 'Responda esta pregunta de nuevo.' },
  not_asked: {
    en: 'This question is not asked any more, so its answer cannot be kept.',
    es: 'Esta pregunta ya no se hace, así que su respuesta no se puede guardar.',
  },
  no_such_item: {
    en: 'This answer belongs to another version of the form.',
    es: 'Esta respuesta pertenece a otra versión del formulario.',
  },
} as const satisfies Record<ProblemCode, Translations>;

/** A problem's message in that language, with its limit formatted for people. */
export function problemMessage({ code, detail = '' }: Problem, language: Language): string {
  return problemWords[code][language].replace('{n}', () => formatDetail(detail, language));
}

function formatDetail(detail: string | number, language: Language): string {
  if (typeof detail === 'number') return detail.toLocaleString(locales[language]);
  if (!/^\d{4}-\d\d-\d\d$/.test(detail)) return detail;
  return new Date(`${detail}T00:00:00Z`).toLocaleDateString(locales[language], {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
}
