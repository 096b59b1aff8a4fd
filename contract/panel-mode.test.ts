import { describe, expect, test } from 'vitest';
import { isAmbulatory, isSmsMode } from './panel-mode.ts';

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
