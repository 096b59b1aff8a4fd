import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The staff of the demo's offices: Dana and Luis at Maple, Ruth at Harbor, Mina at Cedar, the nurses Theo and Amara at Summit. */
export const staff = {
  dana: 'front@maple.test',
  luis: 'luis@maple.test',
  ruth: 'front@harbor.test',
  mina: 'front@cedar.test',
  theo: 'theo@summit.test',
  amara: 'amara@summit.test',
} as const;

/** The folder of signed-in browsers' cookies during a run. */
export const statesFolder = (): string => join(tmpdir(), `anteroom-e2e-staff-${process.env.E2E_PORT}`);

export const sessionFileOf = (email: string): string => join(statesFolder(), `${email}.json`);
