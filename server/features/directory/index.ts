export { patientWordsStatement } from './words-sql.ts';
