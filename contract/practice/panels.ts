/**
 * Which panel and screens an office works with, and which of them its own people can switch.
 *
 * panel: where the desk works: the queue, the SMS dashboard (`adminPanelType`), or the patients after surgery (`adminNavBar`).
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** What the office's own people switch. */
export const PanelChoices = z.object({
  panel: z.enum(['queue', 'sms']),
  /** The forms screen by patient of today (`useOldFormsScreen`) instead of the one by form. */
  oldFormsScreen: z.boolean(),
  /** Visitors of the practice's website can chat with it. */
  chatEnabled: z.boolean(),
});
export type PanelChoices = z.output<typeof PanelChoices>;

export const Panels = z.extend(PanelChoices, {
  /** It follows patients after surgery and works with them instead of the queue. Only the operator switches this. */
  ambulatory: z.boolean(),
  /** The panel has the Check-in tab (no `disableCheckin`). Only the operator switches this. */
  checkInTab: z.boolean(),
  /** This person has another panel than the office: it was set for them, or for the colleague whose view they were given. */
  ownPanel: z.boolean(),
  /** This person has another forms screen than the office, for the same reason. */
  ownFormsScreen: z.boolean(),
});
export type Panels = z.output<typeof Panels>;

export const readPanels = endpoint({
  method: 'GET',
  path: '/office/panels',
  summary: 'Which panel and screens the office works with',
  access: 'office',
  reply: Panels,
});

export const savePanels = endpoint({
  method: 'PUT',
  path: '/office/panels',
  summary: 'Switches the panel, the forms screen and the website chat. It needs a recent proof of identity',
  access: 'office',
  audit: 'settings.change',
  body: PanelChoices,
  reply: Panels,
  refusals: ['proof_needed', 'panel_fixed', 'limited_chat'],
});
