export { addBuiltInForm, loadBuiltInForms } from './definitions.ts';
export { saveVisitForm } from './save-form.ts';
export { visitForms } from './visit-forms.ts';
export { closeFormWork, logFormWork } from './form-work.ts';
export { fileNameOf } from './download-forms.ts';
export { toNewDefinition } from './new-definition.ts';
export { savePhoto } from './photos.ts';
export { submitVisitForm } from './submit-form.ts';
export { formsOfPatient } from './list-forms.ts';
