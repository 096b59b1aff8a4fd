export { SnippetPicker } from './snippet-picker.tsx';
export { useMessageSettings } from './use-message-settings.ts';
