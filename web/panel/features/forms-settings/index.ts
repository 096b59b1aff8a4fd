export { Findings } from './findings.tsx';
export { MoveButtons } from './move-buttons.tsx';
export { PreviewDialog } from './preview-dialog.tsx';
export { useDefinition, useRefetchFormSettings } from './use-form-settings.ts';
