export { addBuiltInForm, loadBuiltInForms } from './definitions.ts';
export { saveVisitForm, visitForms } from './filling.ts';
export { closeFormWork } from './form-work.ts';
export { fileNameOf } from './handing-out.ts';
export { definitionOf } from './new-definition.ts';
export { keepPhoto } from './photos.ts';
export { submitVisitForm } from './submitting.ts';
