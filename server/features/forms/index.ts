export { addBuiltInForm, definitionOf, loadBuiltInForms } from './definitions.ts';
export { linkToFile } from './files.ts';
export { fileNameOf } from './handing-out.ts';
