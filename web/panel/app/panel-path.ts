/** The paths that the tab bar and the gate link to. */
export type PanelPath =
  '/' | '/chadis/signhipaa' | '/dashboard' | '/dashboard/form-types' | '/dashboard/forms' | '/dashboard/settings';
