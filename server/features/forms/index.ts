export { addBuiltInForm, loadBuiltInForms } from './definitions.ts';
export { saveVisitForm, visitForms } from './fill-form.ts';
export { closeFormWork } from './form-work.ts';
export { fileNameOf } from './download-forms.ts';
export { toNewDefinition } from './new-definition.ts';
export { savePhoto } from './photos.ts';
export { submitVisitForm } from './submit-form.ts';
export { formsOfPatient } from './list-forms.ts';
