/**
 * Which panel an office's settings select.
 *
 * sms mode: the SMS dashboard instead of the queue. ambulatory mode: patient list, surveys and chat.
 */
import type { Settings } from './flags.ts';

/** SMS mode: the office's `adminPanelType`, top-level or under its features, is `sms`. */
export function isSmsMode(settings: Settings): boolean {
  const features = isObject(settings.features) ? settings.features : {};
  return (features.adminPanelType ?? settings.adminPanelType) === 'sms';
}

/** Ambulatory mode: the first enabled provider with an admin navigation bar is `ambu`. */
export function isAmbulatory(settings: Settings): boolean {
  const providers = Array.isArray(settings.providers) ? settings.providers.filter(isObject) : [];
  return providers.find(({ adminNavBar, enabled }) => adminNavBar && enabled !== false)?.name === 'ambu';
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
