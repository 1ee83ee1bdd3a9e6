#!/usr/bin/env node
// @ts-check

// Everything `npm start` and `npm test` need before they run; see setup/command.mjs. This file stays free of
// static imports, so that a Node too old to load the rest still says so in plain words.

const OLDEST_NODE = 20;
const { node } = process.versions;

if (Number(node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `Sidetone needs Node ${OLDEST_NODE} or newer; this is ${node}. Get it from https://nodejs.org.`,
  );
  process.exit(1);
}

const { runCommand } = await import('./setup/command.mjs');

try {
  await runCommand(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'SetupError') throw error;
  console.error(error.message);
  process.exitCode = 1;
}

export {};
