/** The browsers of the journeys, and what both start with. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

const wholePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Paints like the whole browser and takes two thirds of its time; without PDF viewer, permission prompts and passkeys’ dialogs. */
export const headlessShell = { executablePath: process.env.HEADLESS_SHELL_PATH ?? wholePath, args };

/** For journeys that open a PDF, are granted notifications or use a passkey: `test.use({ launchOptions: wholeBrowser })`. */
export const wholeBrowser = { executablePath: wholePath, args };
