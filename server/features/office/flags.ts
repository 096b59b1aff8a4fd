import type { FlagLayers, Settings } from '#contract/flags.ts';
import type { Services } from '#server/context.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { colleague, personSettings } from './people-sql.ts';
import { globalSettings } from './sql.ts';

/** The layers that a caller's flags are looked up in. */
export async function flagLayersOf(
  { db }: Pick<Services, 'db'>,
  { personId, office }: { personId: string | null; office: { id: string } | null },
): Promise<FlagLayers> {
  const user = personId === null ? {} : await personSettings(db, personId);
  const global = await globalSettings(db);
  if (!office) return { ...nobody, user, features: featuresOf(global), global };
  return asOffice(db, office.id, async (tx) => ({
    user,
    visibleDoctor: (await colleagueViewedBy(tx, office.id, user))?.settings ?? {},
    features: practiceFeatures(global, (await officeRow(tx, office.id)).settings as Settings),
    global,
  }));
}

/** The colleague whose view the person was given, if they work in the current office. */
export async function colleagueViewedBy(tx: Tx, officeId: string, userSettings: Settings) {
  const chosen = userSettings.visibleDoctor;
  return typeof chosen === 'string' && isUuid.test(chosen) ? colleague(tx, officeId, chosen) : undefined;
}

/** The practice's features: the office's own settings and features over the installation's. */
function practiceFeatures(global: Settings, office: Settings): Settings {
  return { ...featuresOf(global), ...office, ...featuresOf(office) };
}

/** The `features` inside settings. */
export function featuresOf({ features }: Settings): Settings {
  return typeof features === 'object' && features !== null && !Array.isArray(features) ? (features as Settings) : {};
}

/** An office's settings with another value of one. Its features take precedence over its other settings, so a value there is removed. */
export function withOfficeSetting(settings: Settings, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...others } = settings;
  const { [name]: __, ...features } = featuresOf(settings);
  return {
    ...others,
    ...('features' in settings && { features }),
    ...(value !== undefined && { [name]: value }),
  };
}

const nobody = { user: {}, visibleDoctor: {} };
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
