import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Who works at the demo's offices: Dana and Luis at Maple, Ruth at Harbor. */
export const staff = { dana: 'front@maple.test', luis: 'luis@maple.test', ruth: 'front@harbor.test' } as const;

/** Where signed-in browsers' cookies are kept during a run. */
export const statesFolder = (): string => join(tmpdir(), `anteroom-e2e-staff-${process.env.E2E_PORT}`);

export const stateOf = (email: string): string => join(statesFolder(), `${email}.json`);
