/**
 * Which panel an office's settings select.
 *
 * sms mode: the SMS dashboard instead of the queue. ambulatory mode: patient list, surveys and chat.
 */
import { lookupOrder, type FlagLayers, type Settings } from './flags.ts';

/** SMS mode of these settings: their `adminPanelType`, top-level or under their features, is `sms`. */
export const isSmsMode = (settings: Settings): boolean => panelTypeOf(settings) === 'sms';

/** SMS mode of a caller: the first layer that names a panel decides, as for a flag. */
export function isSmsModeOf(layers: FlagLayers): boolean {
  const types = lookupOrder.map((layer) => panelTypeOf(layers[layer]));
  return types.find((type) => typeof type === 'string') === 'sms';
}

function panelTypeOf(settings: Settings): unknown {
  const features = isObject(settings.features) ? settings.features : {};
  return features.adminPanelType ?? settings.adminPanelType;
}

/** Ambulatory mode: the first enabled provider with an admin navigation bar is `ambu`. */
export function isAmbulatory(settings: Settings): boolean {
  const providers = Array.isArray(settings.providers) ? settings.providers.filter(isObject) : [];
  return providers.find(({ adminNavBar, enabled }) => adminNavBar && enabled !== false)?.name === 'ambu';
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
