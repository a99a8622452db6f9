import { readSettings, SettingsError } from './shared/config/read-settings.js';
import type { Settings } from './shared/config/settings.js';

/** Reads the settings. If any of them is wrong, prints all faults and exits with 1. */
export function settingsOrExit(): Settings {
  try {
    const settings = readSettings(process.env);
    if (process.env.STAFFCAST_CHECK_SETTINGS === '1') process.exit(0);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
