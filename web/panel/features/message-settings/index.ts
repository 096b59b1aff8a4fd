export { SnippetPicker } from './snippet-picker.tsx';
