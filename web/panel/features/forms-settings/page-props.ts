import type { ReactNode } from 'react';
import type { ShowPreview } from './preview-dialog.tsx';

/** What is at the end of a form of settings. */
export interface SaveBarProps {
  changed: boolean;
  saving: boolean;
  failed: string | undefined;
  onDiscard: () => void;
  lost: string;
}

export interface FormsSettingsPageProps {
  showPreview: ShowPreview;
  saveBar: (props: SaveBarProps) => ReactNode;
}
