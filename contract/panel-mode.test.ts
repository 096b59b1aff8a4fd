import { describe, expect, test } from 'vitest';
import type { FlagLayers } from './flags.ts';
import { isAmbulatory, isSmsMode, isSmsModeOf } from './panel-mode.ts';

describe('sms mode', () => {
  test.each<[Record<string, unknown>, boolean]>([
    [{}, false],
    [{ adminPanelType: 'sms' }, true],
    [{ adminPanelType: 'full' }, false],
    [{ features: { adminPanelType: 'sms' } }, true],
    [{ adminPanelType: 'sms', features: { adminPanelType: 'full' } }, false],
    [{ features: 'sms' }, false],
  ])('%j: %s', (settings, expected) => {
    expect(isSmsMode(settings)).toBe(expected);
  });
});

describe('sms mode of a caller', () => {
  const nobody = { user: {}, visibleDoctor: {}, features: {}, global: {} };
  const sms = { adminPanelType: 'sms' };
  const full = { adminPanelType: 'full' };
  test.each<[Partial<FlagLayers>, boolean]>([
    [{}, false],
    [{ features: sms }, true],
    [{ visibleDoctor: sms }, true],
    [{ visibleDoctor: { features: sms } }, true],
    [{ visibleDoctor: full, features: sms }, false],
    [{ user: full, visibleDoctor: sms }, false],
    [{ user: { adminPanelType: 5 }, features: sms }, true],
    [{ features: full, global: sms }, false],
    [{ global: sms }, true],
  ])('the first of the layers %j that names a panel decides: %s', (layers, expected) => {
    expect(isSmsModeOf({ ...nobody, ...layers })).toBe(expected);
  });
});

describe('ambulatory mode', () => {
  const ambu = { name: 'ambu', adminNavBar: true };
  test.each<[Record<string, unknown>, boolean]>([
    [{}, false],
    [{ providers: [ambu] }, true],
    [{ providers: [{ ...ambu, enabled: true }] }, true],
    [{ providers: [{ ...ambu, enabled: false }] }, false],
    [{ providers: [{ name: 'athena', adminNavBar: true }, ambu] }, false],
    [{ providers: [{ name: 'athena', adminNavBar: true, enabled: false }, ambu] }, true],
    [{ providers: [{ name: 'athena' }, ambu] }, true],
    [{ providers: [{ name: 'ambu' }] }, false],
    [{ providers: 'ambu' }, false],
    [{ providers: [null, ambu] }, true],
  ])('%j: %s', (settings, expected) => {
    expect(isAmbulatory(settings)).toBe(expected);
  });
});
