/**
 * The extensions that are understood. All others are taken over unread. Each is an export of its own, so that a phone loads only those it
 * reads: import them as `urls` from `extensions.ts`.
 */

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';

export const translation = `${fhir}translation`;
export const itemControl = `${fhir}questionnaire-itemControl`;
export const displayCategory = `${fhir}questionnaire-displayCategory`;
export const hidden = `${fhir}questionnaire-hidden`;
export const minOccurs = `${fhir}questionnaire-minOccurs`;
export const maxOccurs = `${fhir}questionnaire-maxOccurs`;
export const minValue = `${fhir}minValue`;
export const maxValue = `${fhir}maxValue`;
export const minQuantity = `${sdc}minQuantity`;
export const maxQuantity = `${sdc}maxQuantity`;
export const calculatedValue = `${fhir}cqf-calculatedValue`;
export const cqfExpression = `${fhir}cqf-expression`;
export const minLength = `${fhir}minLength`;
export const maxDecimalPlaces = `${fhir}maxDecimalPlaces`;
export const regex = `${fhir}regex`;
export const entryFormat = `${fhir}entryFormat`;
export const unit = `${fhir}questionnaire-unit`;
export const unitOption = `${fhir}questionnaire-unitOption`;
export const unitValueSet = `${fhir}questionnaire-unitValueSet`;
export const mimeType = `${fhir}mimeType`;
export const maxSize = `${fhir}maxSize`;
export const sliderStep = `${fhir}questionnaire-sliderStepValue`;
export const optionExclusive = `${fhir}questionnaire-optionExclusive`;
export const optionPrefix = `${fhir}questionnaire-optionPrefix`;
export const ordinalValue = `${fhir}ordinalValue`;
export const itemWeight = `${fhir}itemWeight`;
export const signatureRequired = `${fhir}questionnaire-signatureRequired`;
export const responseSignature = `${fhir}questionnaireresponse-signature`;
export const choiceOrientation = `${fhir}questionnaire-choiceOrientation`;
export const calculated = `${sdc}calculatedExpression`;
export const enabledBy = `${sdc}enableWhenExpression`;
export const initialBy = `${sdc}initialExpression`;
export const answersBy = `${sdc}answerExpression`;
export const candidatesBy = `${sdc}candidateExpression`;
/** What an open choice calls the answer in one's own words. */
export const openLabel = `${sdc}openLabel`;
export const optionsToggle = `${sdc}answerOptionsToggleExpression`;
export const variable = `${fhir}variable`;
export const constraint = `${fhir}questionnaire-constraint`;
export const targetConstraint = `${fhir}targetConstraint`;
export const launchContext = `${sdc}launchContext`;
export const subQuestionnaire = `${sdc}subQuestionnaire`;
export const assembleExpectation = `${sdc}assemble-expectation`;
/** Ours: the rules for the outcome of the answers. */
export const outcome = 'urn:anteroom:fhir:questionnaire-outcome';
/** Ours: true on an item whose answer is the same for the whole household, so it is asked once. */
export const household = 'urn:anteroom:fhir:questionnaire-household';
/** Ours: true on a top-level item that is shown on the page of the item before it. */
export const samePage = 'urn:anteroom:fhir:questionnaire-same-page';
/** Ours: true on an item of a response whose calculation a person overwrote. */
export const overwritten = 'urn:anteroom:fhir:calculation-overwritten';
/** Ours: what is known about the patient and answers this item: one of `knownFacts`. */
export const known = 'urn:anteroom:fhir:questionnaire-known';
/**
 * Ours: true on an item whose answers, and those of the items below it, are filled in from the patient's visit before; false on an item
 * below it that is asked each time.
 */
export const carriedOver = 'urn:anteroom:fhir:questionnaire-carried-over';
/** Ours: true on a length in inches that is asked for in feet and inches. */
export const feetAndInches = 'urn:anteroom:fhir:questionnaire-feet-and-inches';
/** Ours: `year` or `month` on a date whose exact day people do not know. */
export const datePrecision = 'urn:anteroom:fhir:questionnaire-date-precision';
/** Ours: true on a date of the patient's life: one before the known birth date is refused. */
export const sinceBirth = 'urn:anteroom:fhir:questionnaire-since-birth';
/** Ours: true on a text that is replaced by the address of the practice's own notice of privacy practices, if it has one on the web. */
export const practiceNotice = 'urn:anteroom:fhir:questionnaire-practice-notice';
export const markdown = `${fhir}rendering-markdown`;
export const xhtml = `${fhir}rendering-xhtml`;
export const itemMedia = `${sdc}itemMedia`;
/** A picture or recording at an option. */
export const itemAnswerMedia = `${sdc}itemAnswerMedia`;
export const collapsible = `${sdc}collapsible`;
export const shortText = `${sdc}shortText`;
export const usageMode = `${fhir}questionnaire-usageMode`;
/** Where to read more about an item. */
export const supportLink = `${fhir}questionnaire-supportLink`;
/** Ours: the file behind a signature, inside the standard signature extension. */
export const signatureFile = 'urn:anteroom:fhir:signature-file';
