/** The addresses that the tab bar and the gate lead to. */
export type PanelPath =
  '/' | '/chadis/signhipaa' | '/dashboard' | '/dashboard/form-types' | '/dashboard/forms' | '/dashboard/settings';
