export { isOpen, onWebsite, tellWebsite } from './website.ts';
