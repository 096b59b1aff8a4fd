/** The paths that the tab bar and the gate link to. */
export type PanelPath =
  | '/'
  | '/sms-dashboard'
  | '/sms-dashboard/checked-in'
  | '/sms-dashboard/history'
  | '/chadis/signhipaa'
  | '/dashboard'
  | '/dashboard/chat'
  | '/dashboard/engage'
  | '/dashboard/form-types'
  | '/dashboard/forms'
  | '/dashboard/messages'
  | '/dashboard/patients'
  | '/dashboard/settings'
  | '/dashboard/surveys'
  | '/dashboard/transactions';
