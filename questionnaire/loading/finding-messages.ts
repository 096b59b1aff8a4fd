import type { Language, Translations } from '#questionnaire/language/language.ts';
import type { Finding, FindingCode } from './findings.ts';

/** What is wrong and what to do about it; `{n}` is the finding's detail. */
const messages = {
  not_json: {
    en: 'This file is not JSON ({n}). Export the questionnaire again as FHIR JSON, not as XML or text.',
    es: 'Este archivo no es JSON ({n}). Exporte de nuevo el cuestionario como FHIR JSON, no como XML ni texto.',
  },
  not_a_questionnaire: {
    en: 'This is not a FHIR Questionnaire: its resourceType is "{n}". Choose the file that holds the Questionnaire itself.',
    es: 'Esto no es un Questionnaire de FHIR: su resourceType es "{n}". Elija el archivo que contiene el cuestionario.',
  },
  too_big: {
    en: 'This file is larger than {n} MB. Split the questionnaire or remove embedded pictures and unused lists.',
    es: 'Este archivo supera los {n} MB. Divida el cuestionario o quite imágenes incluidas y listas sin usar.',
  },
  too_many_items: {
    en: 'There are more than {n} items. Split the questionnaire into several.',
    es: 'Hay más de {n} elementos. Divida el cuestionario en varios.',
  },
  too_deep: {
    en: 'Items are nested in, or wait for, more than {n} others. Flatten the groups or the conditions.',
    es: 'Hay elementos anidados en más de {n} niveles, o que dependen de más de {n} otros. Simplifique los grupos o las condiciones.',
  },
  too_many_options: {
    en: 'A list has more than {n} answers. Shorten it, or ask for a text instead.',
    es: 'Una lista tiene más de {n} respuestas. Acórtela o pida un texto.',
  },
  too_many_options_in_all: {
    en: 'All lists of answers together have more than {n} answers. Shorten them, or ask for a text instead.',
    es: 'Todas las listas juntas tienen más de {n} respuestas. Acórtelas o pida un texto.',
  },
  too_many_positions: {
    en: 'The form starts with more than {n} questions, because this group is repeated from the start. Lower its minOccurs.',
    es: 'El formulario empieza con más de {n} preguntas, porque este grupo se repite desde el principio. Reduzca su minOccurs.',
  },
  too_many_repetitions: {
    en: 'This group would be there more than {n} times from the start: the minOccurs of the groups around it are multiplied. Lower minOccurs.',
    es: 'Este grupo aparecería más de {n} veces desde el principio: se multiplican los minOccurs de los grupos que lo rodean. Reduzca minOccurs.',
  },
  text_too_long: {
    en: 'A text is longer than {n} characters. Shorten it.',
    es: 'Un texto supera los {n} caracteres. Acórtelo.',
  },
  text_broken: {
    en: 'A text holds characters that cannot be kept (NUL, or half a character). Remove them.',
    es: 'Un texto contiene caracteres que no se pueden guardar (NUL o medio carácter). Quítelos.',
  },
  wrong_shape: {
    en: 'This field should be of another kind ({n}). Correct it as FHIR R4 describes it.',
    es: 'Este campo debería ser de otro tipo ({n}). Corríjalo según FHIR R4.',
  },
  no_items: {
    en: 'The questionnaire asks nothing. Add at least one item.',
    es: 'El cuestionario no pregunta nada. Agregue al menos un elemento.',
  },
  link_id_missing: {
    en: 'This item has no linkId. Give it one that no other item has.',
    es: 'Este elemento no tiene linkId. Asígnele uno que no tenga ningún otro.',
  },
  link_id_twice: {
    en: 'The linkId "{n}" is used twice. Give each item its own.',
    es: 'El linkId "{n}" se usa dos veces. Asigne uno propio a cada elemento.',
  },
  link_id_reserved: {
    en: 'The linkId "{n}" cannot be used here. Give the item another one.',
    es: 'El linkId "{n}" no se puede usar aquí. Asigne otro al elemento.',
  },
  type_missing: {
    en: 'This item has no type. Say what it is: group, display, string, choice and so on.',
    es: 'Este elemento no tiene tipo. Indique qué es: group, display, string, choice, etc.',
  },
  type_unknown: {
    en: 'FHIR R4 has no item type "{n}". Correct it: until then, patients see the question and a note to tell the front desk their answer.',
    es: 'FHIR R4 no tiene el tipo de elemento "{n}". Corríjalo: mientras tanto, el paciente ve la pregunta y una nota para que dé su respuesta en recepción.',
  },
  reference_typed: {
    en: 'This question asks for a reference to a record. Patients cannot look records up, so they type the answer as text.',
    es: 'Esta pregunta pide una referencia a un registro. El paciente no puede buscar registros, así que escribe la respuesta como texto.',
  },
  other_version: {
    en: 'This is written as FHIR {n}. Convert the questionnaire to FHIR R4.',
    es: 'Esto está escrito como FHIR {n}. Convierta el cuestionario a FHIR R4.',
  },
  text_missing: {
    en: 'This question has no words. Add a text, or patients will not know what is asked.',
    es: 'Esta pregunta no tiene texto. Agréguelo, o los pacientes no sabrán qué se pregunta.',
  },
  condition_without_question: {
    en: 'A condition does not say which question it looks at. Add enableWhen.question.',
    es: 'Una condición no indica qué pregunta mira. Agregue enableWhen.question.',
  },
  condition_question_missing: {
    en: 'A condition looks at "{n}", which is not a question here. Point it at a question of this questionnaire.',
    es: 'Una condición mira "{n}", que aquí no es una pregunta. Apunte a una pregunta de este cuestionario.',
  },
  condition_operator_wrong: {
    en: 'The operator "{n}" is not known. Use exists, =, !=, >, <, >= or <=.',
    es: 'El operador "{n}" no se conoce. Use exists, =, !=, >, <, >= o <=.',
  },
  condition_answer_missing: {
    en: 'A condition does not say which answer it waits for. Add enableWhen.answer[x].',
    es: 'Una condición no indica qué respuesta espera. Agregue enableWhen.answer[x].',
  },
  condition_answer_wrong_type: {
    en: 'A condition waits for an answer its question cannot give ({n}), so it never holds. Use an answer the question offers.',
    es: 'Una condición espera una respuesta que su pregunta no puede dar ({n}), así que nunca se cumple. Use una respuesta que la pregunta ofrezca.',
  },
  condition_on_itself: {
    en: 'This item waits for its own answer. Point the condition at another question.',
    es: 'Este elemento depende de su propia respuesta. Apunte la condición a otra pregunta.',
  },
  conditions_in_a_circle: {
    en: 'These items wait for each other and would never be asked: {n}. Remove one of the conditions.',
    es: 'Estos elementos dependen unos de otros y nunca se preguntarían: {n}. Quite una de las condiciones.',
  },
  behavior_missing: {
    en: 'There are several conditions and no enableBehavior. All of them must hold; say "any" if one is enough.',
    es: 'Hay varias condiciones y falta enableBehavior. Se deben cumplir todas; indique "any" si basta con una.',
  },
  value_set_elsewhere: {
    en: 'The list of answers is kept elsewhere ({n}), so patients type their answer. To offer the list, put the ValueSet into the questionnaire (contained) or beside it (one file, as a Bundle).',
    es: 'La lista de respuestas está en otro lugar ({n}), por eso el paciente escribe su respuesta. Para ofrecer la lista, incluya el ValueSet en el cuestionario (contained) o junto a él (un solo archivo, como Bundle).',
  },
  value_set_missing: {
    en: 'The list of answers "{n}" is not in the questionnaire. Add it under contained, or list the answers in answerOption.',
    es: 'La lista de respuestas "{n}" no está en el cuestionario. Agréguela en contained o ponga las respuestas en answerOption.',
  },
  value_set_not_reached: {
    en: 'The list of answers is kept elsewhere ({n}) and the terminology server did not answer, so patients type their answer. Load the questionnaire again later to offer the list.',
    es: 'La lista de respuestas está en otro lugar ({n}) y el servidor de terminología no respondió, por eso el paciente escribe su respuesta. Vuelva a cargar el cuestionario más tarde para ofrecer la lista.',
  },
  value_set_not_listed: {
    en: 'The list of answers is kept elsewhere ({n}) and the terminology server has no complete list for it, so patients type their answer. To offer the list, put the ValueSet into the questionnaire (contained) or beside it (one file, as a Bundle).',
    es: 'La lista de respuestas está en otro lugar ({n}) y el servidor de terminología no tiene la lista completa, por eso el paciente escribe su respuesta. Para ofrecer la lista, incluya el ValueSet en el cuestionario (contained) o junto a él (un solo archivo, como Bundle).',
  },
  value_set_not_asked: {
    en: 'The list of answers is kept elsewhere ({n}) and was not looked up, because too many lists were looked up in the last hour, so patients type their answer. Load the questionnaire again later to offer the list.',
    es: 'La lista de respuestas está en otro lugar ({n}) y no se buscó, porque se buscaron demasiadas listas en la última hora; por eso el paciente escribe su respuesta. Vuelva a cargar el cuestionario más tarde para ofrecer la lista.',
  },
  code_system_missing: {
    en: 'The list of answers "{n}" takes its answers from the code system {cause}, which is not in the file, so patients type their answer. Add the CodeSystem to the file (as a Bundle), or put an expansion into the value set.',
    es: 'La lista de respuestas "{n}" toma sus respuestas del sistema de códigos {cause}, que no está en el archivo, por eso el paciente escribe su respuesta. Agregue el CodeSystem al archivo (como Bundle) o ponga una expansión en el value set.',
  },
  value_set_import_missing: {
    en: 'The list of answers "{n}" imports {cause}, which is not in the file, so patients type their answer. Add that ValueSet to the file (as a Bundle).',
    es: 'La lista de respuestas "{n}" importa {cause}, que no está en el archivo, por eso el paciente escribe su respuesta. Agregue ese ValueSet al archivo (como Bundle).',
  },
  value_set_filter: {
    en: 'The list of answers "{n}" uses a filter that cannot be evaluated here ({cause}), so patients type their answer. List the answers, or put an expansion into the value set.',
    es: 'La lista de respuestas "{n}" usa un filtro que aquí no se puede evaluar ({cause}), por eso el paciente escribe su respuesta. Enumere las respuestas o ponga una expansión en el value set.',
  },
  value_set_circle: {
    en: 'The list of answers "{n}" imports itself ({cause}), so patients type their answer. Remove one of the imports.',
    es: 'La lista de respuestas "{n}" se importa a sí misma ({cause}), por eso el paciente escribe su respuesta. Quite una de las importaciones.',
  },
  value_set_empty: {
    en: 'The list of answers "{n}" has no answers in it, so patients type theirs. Add answers to the value set.',
    es: 'La lista de respuestas "{n}" no contiene respuestas, por eso el paciente escribe la suya. Agregue respuestas al value set.',
  },
  value_set_too_large: {
    en: 'The list of answers "{n}" has {cause} answers, which is too many to offer on a phone, so patients type theirs. Shorten it.',
    es: 'La lista de respuestas "{n}" tiene {cause} respuestas, demasiadas para ofrecerlas en un teléfono, por eso el paciente escribe la suya. Acórtela.',
  },
  choice_without_options: {
    en: 'This choice offers no answers, so patients type theirs. Add answerOption, or make it a text.',
    es: 'Esta pregunta de opciones no ofrece respuestas, por eso el paciente escribe la suya. Agregue answerOption o conviértala en texto.',
  },
  coding_by_display: {
    en: 'The answer "{n}" is named only by its text, so it is found by its text. Add its code.',
    es: 'La respuesta "{n}" se indica solo con su texto, así que se busca por su texto. Agregue su código.',
  },
  option_twice: {
    en: '{n} of these answers are empty or offered twice and are left out. Remove them.',
    es: '{n} de estas respuestas están vacías o repetidas y se omiten. Quítelas.',
  },
  options_not_used: {
    en: 'Answers are listed for an item of type "{n}", where they are not used. Make it a choice, or remove them.',
    es: 'Hay respuestas en un elemento de tipo "{n}", donde no se usan. Conviértalo en choice o quítelas.',
  },
  options_too_few: {
    en: 'More different answers are demanded than this choice offers ({n}). Lower minOccurs, or add answers.',
    es: 'Se piden más respuestas distintas de las que ofrece esta pregunta de opciones ({n}). Reduzca minOccurs o agregue respuestas.',
  },
  group_without_items: {
    en: 'This group is empty and is not shown. Add items or remove it.',
    es: 'Este grupo está vacío y no se muestra. Agregue elementos o quítelo.',
  },
  display_with_items: {
    en: 'Words to read (display) cannot have items in them. Make this a group.',
    es: 'Un texto para leer (display) no puede contener elementos. Conviértalo en grupo.',
  },
  initial_wrong: {
    en: 'The initial value {n} is not a possible answer. Correct or remove it.',
    es: 'El valor inicial {n} no es una respuesta posible. Corríjalo o quítelo.',
  },
  pattern_not_understood: {
    en: 'The pattern {n} uses something that is not supported (such as look-ahead), so answers are not checked by it. Write it more simply.',
    es: 'El patrón {n} usa algo que no se admite (por ejemplo, look-ahead), así que no se usa para revisar respuestas. Escríbalo de forma más sencilla.',
  },
  pattern_too_large: {
    en: 'The pattern {n} is too large: counts in braces are multiplied. Write it more simply, and use maxLength to limit the length.',
    es: 'El patrón {n} es demasiado grande: las cantidades entre llaves se multiplican. Escríbalo de forma más sencilla y use maxLength para limitar la longitud.',
  },
  range_empty: {
    en: 'The lowest value is above the highest: nothing could be answered. Correct one of them.',
    es: 'El valor mínimo es mayor que el máximo: no se podría responder nada. Corrija uno de los dos.',
  },
  limit_not_understood: {
    en: 'The limit "{n}" is not understood and not checked. Use a fixed value, or today() plus or minus a number of days, months or years.',
    es: 'El límite "{n}" no se entiende y no se revisa. Use un valor fijo, o today() más o menos un número de días, meses o años.',
  },
  file_is_no_photo: {
    en: 'Patients can send only photos, and this takes only {n}. They can skip the question. Allow image/*, or ask for the file in another way.',
    es: 'El paciente solo puede enviar fotos y esta pregunta solo admite {n}. Puede omitirla. Permita image/* o pida el archivo de otra forma.',
  },
  occurs_empty: {
    en: 'More answers are demanded than allowed ({n}). Correct minOccurs, maxOccurs or repeats.',
    es: 'Se piden más respuestas de las permitidas ({n}). Corrija minOccurs, maxOccurs o repeats.',
  },
  extension_not_known: {
    en: 'This item changes its meaning by an extension that is not known (modifierExtension). Remove it.',
    es: 'Este elemento cambia su significado con una extensión desconocida (modifierExtension). Quítela.',
  },
  expression_language: {
    en: 'This expression is written in "{n}" and is not evaluated; only FHIRPath (text/fhirpath) is. The patient answers the question without it, and what is read-only stays empty.',
    es: 'Esta expresión está escrita en "{n}" y no se evalúa; solo se evalúa FHIRPath (text/fhirpath). El paciente responde la pregunta sin ella, y lo que es de solo lectura queda vacío.',
  },
  condition_language: {
    en: 'Whether this is asked is decided by an expression in "{n}", which is not evaluated here. Write the condition in FHIRPath (text/fhirpath), or as enableWhen.',
    es: 'Una expresión en "{n}", que aquí no se evalúa, decide si esto se pregunta. Escriba la condición en FHIRPath (text/fhirpath) o como enableWhen.',
  },
  constraint_not_checked: {
    en: 'The constraint {n} cannot be evaluated, so answers are not checked by it. Correct it, or write it in FHIRPath.',
    es: 'La restricción {n} no se puede evaluar, así que no se usa para revisar respuestas. Corríjala o escríbala en FHIRPath.',
  },
  expression_fails: {
    en: 'The FHIRPath expression {n} cannot be evaluated. The patient answers the question without it, and what is read-only stays empty. Correct it.',
    es: 'La expresión FHIRPath {n} no se puede evaluar. El paciente responde la pregunta sin ella, y lo que es de solo lectura queda vacío. Corríjala.',
  },
  name_not_defined: {
    en: 'An expression uses {n}, which this questionnaire does not define, so it is empty there: {expression}',
    es: 'Una expresión usa {n}, que este cuestionario no define, así que allí queda vacío: {expression}',
  },
  context_not_known: {
    en: 'An expression uses {n}, which is not known when a patient fills out the form, so it is empty there: {expression}',
    es: 'Una expresión usa {n}, que no se conoce cuando el paciente llena el formulario, así que allí queda vacío: {expression}',
  },
  not_assembled: {
    en: 'This item stands for another questionnaire ({n}), whose questions are not in this file. Assemble the form first ($assemble), and load the result.',
    es: 'Este elemento representa otro cuestionario ({n}), cuyas preguntas no están en este archivo. Primero ensamble el formulario ($assemble) y cargue el resultado.',
  },
  part_of_a_form: {
    en: 'This questionnaire is a part of another form ({n}). What it takes from the whole form is empty here.',
    es: 'Este cuestionario es parte de otro formulario ({n}). Lo que toma del formulario completo queda vacío aquí.',
  },
  expression_not_understood: {
    en: 'The FHIRPath expression {n} is not understood, or its result never stops changing. Correct it.',
    es: 'No se entiende la expresión FHIRPath {n}, o su resultado no deja de cambiar. Corríjala.',
  },
  expression_too_large: {
    en: 'The FHIRPath expression {n} is too long, or nests calls such as where, select and all too deeply. Write it more simply.',
    es: 'La expresión FHIRPath {n} es demasiado larga o anida demasiado llamadas como where, select y all. Escríbala de forma más sencilla.',
  },
  expression_endless: {
    en: 'The FHIRPath expression {n} may never end: repeat() calculates new values. Use repeat() only to follow nested items, such as repeat(item).',
    es: 'La expresión FHIRPath {n} podría no terminar nunca: repeat() calcula valores nuevos. Use repeat() solo para recorrer elementos anidados, por ejemplo repeat(item).',
  },
  expression_result_too_large: {
    en: 'The FHIRPath expression {n} makes more than 100,000 values or 1,000,000 letters. Write it so that it makes fewer.',
    es: 'La expresión FHIRPath {n} produce más de 100,000 valores o 1,000,000 de letras. Escríbala de forma que produzca menos.',
  },
  expression_result_unfit: {
    en: 'The result of the FHIRPath expression {n} is no possible answer here (another type or unit, or none of the options), so it is left out. Correct it.',
    es: 'El resultado de la expresión FHIRPath {n} no es una respuesta posible aquí (otro tipo o unidad, o ninguna de las opciones), así que se omite. Corríjala.',
  },
  costly_when_filled: {
    en: 'Filled in with sample answers, this form calculates for too long, most of all {n}. With many answers it may be too slow to submit. Write the expression so that it reads each answer once.',
    es: 'Con respuestas de ejemplo, este formulario calcula demasiado tiempo, sobre todo {n}. Con muchas respuestas podría ser demasiado lento para enviarse. Escriba la expresión de modo que lea cada respuesta una sola vez.',
  },
  takes_too_long: {
    en: 'Checking this questionnaire takes too long or too much memory ({n}). Use fewer nested groups and answers, and shorter patterns and calculations.',
    es: 'Revisar este cuestionario tarda demasiado o usa demasiada memoria ({n}). Use menos grupos anidados y menos respuestas, y patrones y cálculos más cortos.',
  },
  not_read: {
    en: 'This says {n}, which is not read here: the form is shown, filled in and filed as if it were not there. See in the preview whether patients can do without it.',
    es: 'Esto indica {n}, que aquí no se lee: el formulario se muestra, se llena y se archiva como si no estuviera. Vea en la vista previa si los pacientes pueden prescindir de ello.',
  },
  not_translated: {
    en: '{n} texts have no Spanish (translation extension). Spanish-speaking patients read them in English.',
    es: '{n} textos no tienen español (extensión translation). Los pacientes de habla hispana los leerán en inglés.',
  },
} as const satisfies Record<FindingCode, Translations>;

/** The messages that count something, for a count of one. */
const messagesOfOne: Partial<Record<FindingCode, Translations>> = {
  option_twice: {
    en: 'One of these answers is empty or offered twice and is left out. Remove it.',
    es: 'Una de estas respuestas está vacía o repetida y se omite. Quítela.',
  },
  not_translated: {
    en: '1 text has no Spanish (translation extension). Spanish-speaking patients read it in English.',
    es: '1 texto no tiene español (extensión translation). Los pacientes de habla hispana lo leerán en inglés.',
  },
};

/** A finding's message in that language. */
export function findingMessage(
  { code, detail = '', expression = '', cause = '' }: Finding,
  language: Language,
): string {
  const values: Readonly<Record<string, string>> = { '{n}': detail, '{expression}': expression, '{cause}': cause };
  const message = (detail === '1' ? messagesOfOne[code] : undefined) ?? messages[code];
  return message[language].replaceAll(/\{(?:n|expression|cause)\}/g, (name) => values[name] ?? '');
}
